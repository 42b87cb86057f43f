# What `.ci/run` and `.ci/nightly` share: steps that are shown, programs that run alone, and the packages that the builds need.

step() {
    printf '\n== %s\n' "$*"
    "$@"
}

# Runs a program, with the variables before it, and with nothing else: no program in the PATH, and no network where that can be had.
alone() {
    local folder network=() status=0
    folder=$(mktemp --directory)
    if unshare --net true 2>/dev/null; then network=(unshare --net); fi
    "${network[@]}" env --ignore-environment PATH="$folder" "$@" || status=$?
    rm --recursive "$folder"
    return "$status"
}

missing() {
    printf '%s: %s\n' "$0" "$1" >&2
    exit 2
}

# Installs the packages of Debian that are missing. Elsewhere the tools are looked for when they are called.
install_packages() {
    command -v dpkg-query >/dev/null || return 0
    local package packages=()
    for package in "$@"; do
        dpkg-query --show --showformat '${Status}' "$package" 2>/dev/null | grep -q 'ok installed' || packages+=("$package")
    done
    [[ ${#packages[@]} -eq 0 ]] && return
    [[ $EUID -eq 0 ]] || missing "not installed, and not root: apt-get install ${packages[*]}"
    step apt-get update --quiet
    step apt-get install --quiet --yes --no-install-recommends "${packages[@]}"
}

# Chromium shows the page of reports to its tests, whose packages npm brings. As root what is missing is installed.
browser_is_there() {
    local packages=()
    command -v "${CHROMIUM:-chromium}" >/dev/null || packages+=(chromium)
    command -v npm >/dev/null || packages+=(npm)
    [[ ${#packages[@]} -eq 0 ]] && return
    [[ $EUID -eq 0 ]] && command -v apt-get >/dev/null || return
    step apt-get update --quiet && step apt-get install --quiet --yes --no-install-recommends "${packages[@]}"
}

command -v cargo >/dev/null || missing "cargo is not there: install it with rustup"
