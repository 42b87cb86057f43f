// The page of reports in a browser. TOUCHSTONE is the program, CHROMIUM the browser.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { pathToFileURL } from "node:url";
import { chromium } from "playwright-core";

const { TOUCHSTONE, CHROMIUM } = process.env;
const AXE = createRequire(import.meta.url).resolve("axe-core/axe.min.js");
const HOSTILE = `</script><script>document.title='taken'</script><img src=x onerror="document.title='taken'">`;
const OPENS_IN_MS = 2000;

const csv = (rows) => rows.map((row) => row.map((cell) => `"${String(cell).replaceAll('"', '""')}"`).join(",")).join("\n") + "\n";

// A folder of reports with this many differences of four causes.
const reports = (folder, count, stored) => {
  mkdirSync(join(folder, "transcripts"), { recursive: true });
  writeFileSync(join(folder, "transcripts", "stalemate-score.txt"), `0.1 > go\n0.2 < ${HOSTILE}\n`);
  const columns = "subject,check,evidence,case_set,compared,agreed,differed,errors,observed,skipped,skip_reasons";
  const half = count / 2;
  writeFileSync(join(folder, "checks.csv"), columns + "\n" + csv([
    ["mine", "stalemate", "agreement", "promotion", half + 10, 10, half, half, 3, 2, "not supported=2"],
    ["mine", "protocol/blanks", "specification", "uci", half + 1, 1, half, 0, 0, 0, ""],
    ["production", "certificate", "certificate", "KPvK", 331352, 331352, 0, 0, 0, 0, ""],
  ]));
  const checks = [["stalemate/score", "error", HOSTILE], ["protocol/blanks", "warning", "blanks are not skipped"]];
  const rows = Array.from({ length: count }, (_, number) => {
    const [check, severity, cause] = checks[number % 2];
    const fen = `8/${1 + (number % 6)}P${6 - (number % 6)}/8/8/8/8/2K5/k7 w - - ${number % 100} ${number + 1}`;
    const from = "abcdefgh"[1 + (number % 6)];
    const answer = stored ?? `cp ${number}, the move ${from}7${from}8q`;
    return ["mine", check, severity, `promotion/${number}`, fen, answer, `one of ${from}7${from}8r`, "proof",
      `sentence ${number}`, cause, `echo replay ${number}`, "", "", `${from}7${from}8q`, `${from}7${from}8r`, "", "", ""];
  });
  const header = "subject,check,severity,case,fen,stored,expected,source,explanation,cause,replay,moves,position_after,given,best,stored_value,expected_value,limit\n";
  writeFileSync(join(folder, "differences.csv"), header + csv(rows));
};

let folder;
let browser;
const made = {};

before(async () => {
  folder = mkdtempSync(join(tmpdir(), "touchstone-page-"));
  const report = (name, ...folders) => {
    execFileSync(TOUCHSTONE, ["report", ...folders.map((of) => join(folder, of)), "-o", join(folder, `${name}.html`)]);
    made[name] = pathToFileURL(join(folder, `${name}.html`)).href;
  };
  reports(join(folder, "few"), 120);
  reports(join(folder, "other"), 120, "cp 0");
  reports(join(folder, "many"), 100_000);
  // Wrong on purpose: it exits 1.
  try {
    execFileSync(TOUCHSTONE, ["verify", "--builder", "first-pass", "--tables", "KPvK", "--quick", "--out", join(folder, "specimen")], { stdio: "pipe" });
  } catch (error) {
    assert.equal(error.status, 1, String(error.stderr));
  }
  execFileSync(TOUCHSTONE, ["match", TOUCHSTONE, TOUCHSTONE, "--each", "nodes=100", "arg=engine", "--of", "2:name=other", "--rounds", "5",
    "--sprt", "elo0=0", "elo1=5", "--out", join(folder, "match")], { stdio: "pipe" });
  report("match", "match");
  report("few", "few");
  report("specimen", "specimen");
  report("two", "other", "few");
  report("trend", "few", "other", "specimen");
  report("many", "many");
  browser = await chromium.launch({ executablePath: CHROMIUM, args: ["--no-sandbox"] });
});

after(async () => {
  await browser?.close();
  rmSync(folder, { recursive: true, force: true });
});

// A page that is open, with what its console says.
const open = async (name, options = {}) => {
  const context = await browser.newContext({ bypassCSP: true, viewport: { width: 1280, height: 900 }, ...options });
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  const page = await context.newPage();
  page.said = [];
  page.on("console", (message) => page.said.push(message.text()));
  page.on("pageerror", (error) => page.said.push(error.message));
  page.on("request", (request) => { if (request.url() !== made[name]) page.said.push(`asks for ${request.url()}`); });
  await page.goto(made[name]);
  return page;
};
const openAll = (page) => page.evaluate(() => document.querySelectorAll("details").forEach((node) => { node.open = true; }));
const close = async (page) => {
  assert.deepEqual(page.said, []);
  await page.context().close();
};

const SHAPES = [
  ["light, wide", { colorScheme: "light" }],
  ["dark, phone", { colorScheme: "dark", viewport: { width: 375, height: 800 } }],
];

for (const name of ["few", "specimen", "two", "trend", "match"]) {
  describe(`the page ${name}`, () => {
    for (const [shape, options] of SHAPES) {
      test(`${shape}: nothing in the console, no horizontal scroll, no fault that axe finds`, async () => {
        const page = await open(name, options);
        await openAll(page);
        // The page of a match has no findings.
        await page.waitForFunction(() => (document.querySelector(".group .list")?.children.length ?? 2) > 1);
        const widths = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
        assert.ok(widths[0] <= widths[1], `${widths[0]} pixels wide of ${widths[1]}`);
        await page.evaluate(readFileSync(AXE, "utf8"));
        const found = await page.evaluate(() => axe.run(document, { resultTypes: ["violations"] }));
        const faults = found.violations.map(({ id, nodes }) => `${id}: ${nodes.length} such as ${nodes[0].html.slice(0, 160)} ${nodes[0].any[0]?.message ?? ""}`);
        assert.deepEqual(faults, []);
        await close(page);
      });
    }
  });
}

test("what programs write is text", async () => {
  const page = await open("few");
  await openAll(page);
  assert.equal(await page.locator("img").count(), 0);
  assert.match(await page.title(), /^60 errors in 1 cause; 60 warnings/);
  assert.ok((await page.locator("h3").first().textContent()).includes("<img src=x"));
  await close(page);
});

test("the gravest group is open with a page of findings, and more are shown on demand", async () => {
  const page = await open("few");
  const group = page.locator(".group").first();
  assert.equal(await group.getAttribute("open"), "");
  assert.equal(await page.locator(".group").nth(1).getAttribute("open"), null);
  const findings = group.locator(".finding");
  await findings.nth(20).waitFor();
  assert.equal(await findings.count(), 21);
  await group.getByRole("button", { name: "Show 20 more of 39" }).click();
  assert.equal(await findings.count(), 41);
  await group.getByRole("button", { name: "Show 19 more of 19" }).click();
  assert.equal(await findings.count(), 60);
  assert.ok(await group.locator(".more").isHidden());
  // The script draws as the program does.
  const drawn = await findings.evaluateAll((nodes) => nodes.slice(0, 7).map((node) => ({
    words: node.querySelector("svg").getAttribute("aria-label"),
    uses: node.querySelectorAll("use").length,
    arrows: [...node.querySelectorAll(".arrow")].map((arrow) => arrow.getAttribute("class")),
    link: node.querySelector("a").href,
    fen: node.querySelector("[data-f=fen]").textContent,
  })));
  for (const { words, uses, arrows, link, fen } of drawn) {
    assert.match(words, /^White: Kc2 [b-g]7\. Black: Ka1\. White to move\.$/);
    assert.equal(uses, 4);
    assert.deepEqual(arrows, ["arrow right", "arrow played"]);
    assert.equal(link, `https://lichess.org/analysis/${fen.replaceAll(" ", "_")}`);
  }
  await close(page);
});

test("severities are filtered and texts are found", async () => {
  const page = await open("few");
  const found = page.locator("#findings .found");
  assert.equal(await found.textContent(), "120 in 2 groups");
  await page.getByRole("button", { name: /^error/ }).click();
  assert.equal(await found.textContent(), "60 in 1 group");
  assert.ok(await page.locator(".group.error").isHidden());
  await page.getByRole("button", { name: /^error/ }).click();
  await page.getByLabel("Search").fill("SENTENCE 77");
  await page.waitForFunction(() => document.querySelector(".found").textContent === "1 in 1 group");
  await page.locator(".group.warning > summary").click();
  await page.locator(".group.warning .finding:visible").waitFor();
  assert.deepEqual(await page.locator(".finding:visible h4").allTextContents(), ["promotion/77"]);
  await page.getByLabel("Search").fill("nothing of this");
  await page.waitForFunction(() => document.querySelector(".found").textContent === "0 in 0 groups");
  await page.getByLabel("Search").fill("");
  await page.waitForFunction(() => document.querySelector(".found").textContent === "120 in 2 groups");
  await close(page);
});

test("the position is copied", async () => {
  const page = await open("few");
  await page.locator(".group.error .finding").first().getByRole("button", { name: "Copy the position" }).click();
  await page.getByText("Copied").waitFor();
  const shown = await page.locator(".group.error .finding").first().locator("[data-f=fen]").textContent();
  assert.match(shown, / [wb] - - 0 1$/);
  assert.equal(await page.evaluate(() => navigator.clipboard.readText()), shown);
  await close(page);
});

test("on a phone the results of checks are on the screen", async () => {
  const page = await open("specimen", { viewport: { width: 375, height: 800 } });
  const agree = page.locator("table.checks tbody td.number").first();
  await agree.scrollIntoViewIfNeeded();
  const { x, width } = await agree.boundingBox();
  assert.ok(x >= 0 && x + width <= 375, `${x} and ${width} pixels`);
  await close(page);
});

test("the replay is copied", async () => {
  const page = await open("few");
  await page.locator(".group.warning > summary").click();
  await page.locator(".group.warning .finding").nth(3).getByRole("button", { name: "Copy the replay" }).click();
  await page.getByText("Copied").waitFor();
  const shown = await page.locator(".group.warning .finding").nth(3).locator("[data-f=replay]").textContent();
  assert.match(shown, /^echo replay \d+$/);
  assert.equal(await page.evaluate(() => navigator.clipboard.readText()), shown);
  await close(page);
});

test("the keyboard reaches groups and findings, and the theme changes", async () => {
  const page = await open("few");
  await page.keyboard.press("Tab");
  assert.equal(await page.evaluate(() => document.activeElement.className), "skip");
  await page.locator(".group.warning > summary").first().focus();
  await page.keyboard.press("Enter");
  await page.locator(".group.warning .finding").nth(1).waitFor();
  await page.getByRole("button", { name: /^Theme/ }).click();
  await page.getByRole("button", { name: "Theme: light" }).click();
  assert.equal(await page.evaluate(() => document.documentElement.style.colorScheme), "dark");
  await close(page);
});

test("changes of two runs have both answers", async () => {
  const page = await open("two");
  const finding = page.locator("#changes .finding").first();
  assert.match(await finding.locator("[data-f=old]").textContent(), /cp 0/);
  assert.match(await finding.locator("[data-f=stored]").textContent(), /the move/);
  await close(page);
});

test("without scripts each group shows its first finding", async () => {
  const page = await open("few", { javaScriptEnabled: false });
  assert.ok(await page.locator(".group .finding .board svg").first().isVisible());
  assert.ok(await page.getByText("A browser with scripts shows all 60 findings").first().isVisible());
  assert.ok(await page.locator(".filter").first().isHidden());
  await close(page);
});

test(`100,000 differences open in less than ${OPENS_IN_MS} ms of processor time`, async () => {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
  const page = await context.newPage();
  // Of the page's main thread: a busy machine makes it no longer.
  const session = await context.newCDPSession(page);
  await session.send("Performance.enable", { timeDomain: "threadTicks" });
  await page.goto(made.many, { waitUntil: "load" });
  await page.locator(".group .finding").nth(20).waitFor();
  const { metrics } = await session.send("Performance.getMetrics");
  const took = 1000 * metrics.find(({ name }) => name === "TaskDuration").value;
  assert.ok(took > 10, `${took} ms`);
  const bytes = readFileSync(new URL(made.many)).length;
  console.log(`# open, with the first group: ${Math.round(took)} ms; ${(bytes / 2 ** 20).toFixed(1)} MiB`);
  assert.ok(took < OPENS_IN_MS, `${took} ms`);
  assert.match(await page.locator("#findings > .aside").textContent(), /of 100,000 findings are not on this page/);
  const searched = performance.now();
  await page.getByLabel("Search").fill("sentence 4242");
  await page.waitForFunction(() => /^[1-9]\d? in 1 group$/.test(document.querySelector(".found").textContent));
  console.log(`# search: ${Math.round(performance.now() - searched)} ms`);
  await context.close();
});
