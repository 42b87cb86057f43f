"use strict";
(() => {
  const PAGE = 20;
  const all = JSON.parse(document.getElementById("rows").textContent);
  const place = Object.fromEntries(all.fields.map((name, index) => [name, index]));
  const text = (row, name) => all.texts[row[place[name]]];

  // The same drawing as that of the first finding, which the page has.
  const board = (fen, played, right) => {
    const ranks = fen.split(" ")[0].split("/");
    const men = [];
    for (const [rank, letters] of ranks.entries()) {
      let file = 0;
      for (const letter of letters) {
        if ("12345678".includes(letter)) file += Number(letter);
        else if ("KQRBNPkqrbnp".includes(letter) && file < 8) men.push([letter, file++, rank]);
        else return null;
      }
      if (file !== 8) return null;
    }
    if (ranks.length !== 8) return null;
    const uses = men.map(([letter, file, rank]) =>
      `<use href="#${letter.toUpperCase()}" class="${letter < "a" ? "w" : "b"}" x="${45 * file}" y="${45 * rank}"/>`);
    const middle = (square) => [45 * (square.charCodeAt(0) - 97) + 22, 45 * (8 - square.charCodeAt(1) + 48) + 22];
    const arrows = (moves, kind) => (moves.match(/\b([a-h][1-8]){2}\b/g) || []).map((move) =>
      `<path class="arrow ${kind}" d="M${middle(move.slice(0, 2)).join(" ")}L${middle(move.slice(2)).join(" ")}" marker-end="url(#${kind})"/>`);
    return `<use href="#squares"/>${uses.join("")}${arrows(right, "right").join("")}${arrows(played, "played").join("")}`;
  };
  const turn = (fen) => fen.split(" ")[1] === "b" ? "Black to move" : "White to move";
  const words = (fen) => {
    const side = (isWhite) => {
      const men = [];
      fen.split(" ")[0].split("/").forEach((letters, rank) => {
        let file = 0;
        for (const letter of letters) {
          if (letter >= "1" && letter <= "8") { file += Number(letter); continue; }
          const man = letter.toUpperCase();
          if ((letter === man) === isWhite) men.push((man === "P" ? "" : man) + "abcdefgh"[file] + (8 - rank));
          file++;
        }
      });
      return men.sort((a, b) => a.startsWith("K") ? -1 : b.startsWith("K") ? 1 : 0).join(" ");
    };
    return `White: ${side(true)}. Black: ${side(false)}. ${turn(fen)}.`;
  };
  const link = (fen) =>
    "https://lichess.org/analysis/" + fen.replace(/ /g, "_").split("/").map(encodeURIComponent).join("/");

  const make = (first, row) => {
    const node = first.cloneNode(true);
    for (const field of node.querySelectorAll("[data-f]")) {
      const name = field.dataset.f;
      field.textContent = text(row, name);
      if (name !== "case") field.closest("div").hidden = text(row, name) === "";
    }
    const fen = text(row, "asked");
    const drawn = board(fen, text(row, "played"), text(row, "right"));
    const part = node.querySelector(".board");
    part.hidden = drawn === null;
    const svg = part.querySelector("svg");
    svg.innerHTML = drawn || "";
    svg.setAttribute("aria-label", drawn === null ? "" : words(fen));
    part.querySelector(".turn").textContent = drawn === null ? "" : turn(fen);
    part.querySelector("a").href = drawn === null ? "#" : link(fen);
    return node;
  };

  let printing = false;
  for (const node of document.querySelectorAll(".copy")) node.hidden = false;

  class Group {
    constructor(node) {
      this.node = node;
      this.list = node.querySelector(".list");
      this.first = this.list.firstElementChild;
      this.rows = all.groups[node.id] || [];
      this.head = node.querySelector(":scope > summary").textContent.toLowerCase();
      this.firstText = this.first.textContent.toLowerCase();
      this.more = node.querySelector(".more");
      this.more.firstElementChild.addEventListener("click", () => this.show(true));
      node.addEventListener("toggle", () => this.show(false));
      this.match("");
    }

    // Counts what holds the words.
    match(query) {
      const holds = (of) => of.includes(query);
      const whole = query === "" || holds(this.head);
      const known = new Map();
      const inText = (number) => {
        if (!known.has(number)) known.set(number, holds(all.texts[number].toLowerCase()));
        return known.get(number);
      };
      this.matching = whole ? this.rows : this.rows.filter((row) => row.some(inText));
      this.firstMatches = whole || holds(this.firstText);
      this.count = this.matching.length + (this.firstMatches ? 1 : 0);
      this.shown = 0;
      this.first.hidden = !this.firstMatches;
      while (this.list.children.length > 1) this.list.lastElementChild.remove();
      this.show(false);
    }

    // Fills the first page when the group opens, and the next one when that is asked for.
    show(next) {
      if (!this.node.open || printing) return;
      if (this.shown === 0 || next) {
        const rows = this.matching.slice(this.shown, this.shown + PAGE);
        const nodes = rows.map((row) => make(this.first, row));
        nodes.forEach((node) => { node.hidden = false; });
        this.list.append(...nodes);
        this.shown += rows.length;
        if (next && nodes.length) {
          const head = nodes[0].querySelector("h4");
          head.tabIndex = -1;
          head.focus({ preventScroll: true });
        }
      }
      const rest = this.matching.length - this.shown;
      this.more.hidden = rest === 0;
      this.more.firstElementChild.textContent = `Show ${Math.min(rest, PAGE)} more of ${rest.toLocaleString("en")}`;
    }
  }

  for (const filter of document.querySelectorAll(".filter")) {
    const groups = [...document.querySelectorAll(`.group[data-in="${filter.dataset.for}"]`)].map((node) => new Group(node));
    const tags = [...filter.querySelectorAll("[data-tag]")];
    const search = filter.querySelector("input");
    const found = filter.querySelector(".found");
    const apply = () => {
      const on = new Set(tags.filter((tag) => tag.getAttribute("aria-pressed") === "true").map((tag) => tag.dataset.tag));
      let findings = 0;
      let seen = 0;
      for (const group of groups) {
        group.node.hidden = !on.has(group.node.dataset.tag) || group.count === 0;
        if (group.node.hidden) continue;
        findings += group.count;
        seen += 1;
      }
      found.textContent = `${findings.toLocaleString("en")} in ${seen} group${seen === 1 ? "" : "s"}`;
    };
    for (const tag of tags) {
      tag.addEventListener("click", () => {
        tag.setAttribute("aria-pressed", String(tag.getAttribute("aria-pressed") !== "true"));
        apply();
      });
    }
    let waiting;
    search.addEventListener("input", () => {
      clearTimeout(waiting);
      waiting = setTimeout(() => {
        const query = search.value.trim().toLowerCase();
        for (const group of groups) group.match(query);
        apply();
      }, 120);
    });
    filter.hidden = false;
    apply();
  }

  for (const node of document.querySelectorAll(".no-script")) node.hidden = true;
  const copyText = async (text) => {
    try {
      await navigator.clipboard.writeText(text);
    } catch {
      // Pages from a file may have no clipboard.
      const area = document.createElement("textarea");
      area.value = text;
      document.body.append(area);
      area.select();
      document.execCommand("copy");
      area.remove();
    }
  };
  document.addEventListener("click", async (event) => {
    const button = event.target.closest && event.target.closest(".copy");
    if (!button) return;
    const before = button.innerHTML;
    await copyText(button.parentElement.querySelector("code").textContent);
    button.textContent = "Copied";
    setTimeout(() => { button.innerHTML = before; button.focus(); }, 1500);
  });

  // A link to a group opens it.
  const open = () => {
    const node = location.hash && document.getElementById(decodeURIComponent(location.hash.slice(1)));
    if (node && node.matches("details")) node.open = true;
  };
  window.addEventListener("hashchange", open);
  open();
  // On paper each group has its first finding, and what was opened before.
  window.addEventListener("beforeprint", () => {
    printing = true;
    for (const node of document.querySelectorAll(".group")) node.open = true;
  });
  window.addEventListener("afterprint", () => { printing = false; });
})();
