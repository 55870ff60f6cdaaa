# Checks for build requirements, to be sourced by scripts. Each function returns if the requirement is met. Otherwise it prints
# what to install and exits with 2.

# require_swift 6.2
require_swift() {
  local found
  if ! command -v swift >/dev/null; then
    echo "Swift $1 or newer is required, but no 'swift' was found on the PATH: see https://www.swift.org/install/linux" >&2
    exit 2
  fi
  found=$(swift --version 2>/dev/null | sed -n 's/.*Swift version \([0-9.]*\).*/\1/p' | head -n 1)
  if [ "$(printf '%s\n' "$1" "${found:-0}" | sort -V | head -n 1)" != "$1" ]; then
    echo "Swift $1 or newer is required, but $(command -v swift) is ${found:-of an unknown version}:" \
      "see https://www.swift.org/install/linux" >&2
    exit 2
  fi
}

# require_packages libcurl4-openssl-dev nginx:nginx-light …
#
# Package names are those of Debian and Ubuntu. COMMAND:PACKAGE accepts any package that provides the command. Missing packages are
# installed if permitted: as root, or with a sudo that needs no password.
require_packages() {
  local missing=() as_root=() wanted
  for wanted in "$@"; do
    case $wanted in
      *:*) command -v "${wanted%%:*}" >/dev/null || missing+=("${wanted##*:}") ;;
      *) dpkg-query -W -f='${Status}\n' "$wanted" 2>/dev/null | grep -q 'install ok installed' || missing+=("$wanted") ;;
    esac
  done
  [ ${#missing[@]} -gt 0 ] || return 0
  if command -v apt-get >/dev/null; then
    if [ "$(id -u)" != 0 ]; then as_root=(sudo -n); fi
    if [ "$(id -u)" = 0 ] || sudo -n true 2>/dev/null; then
      echo "Installing ${missing[*]}" >&2
      if "${as_root[@]}" apt-get update -qq >&2 \
        && "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq "${missing[@]}" >&2; then return 0; fi
      echo "apt-get failed; see above." >&2
    fi
    echo "Missing packages: ${missing[*]}. Install them with: sudo apt-get install ${missing[*]}" >&2
  else
    echo "Missing packages (by their Debian names): ${missing[*]}. Install the corresponding packages of your system." >&2
  fi
  exit 2
}

# require_python_tools
#
# Installs the tools of python-tools.txt, with exactly these versions, into .build/python-tools unless they are there.
require_python_tools() {
  local list=Tests/Support/python-tools.txt tools=.build/python-tools
  if cmp -s "$list" "$tools/installed.txt"; then return 0; fi
  echo "Installing the Python tools of $list" >&2
  rm -rf "$tools"
  if python3 -m venv "$tools" >&2 && "$tools/bin/pip" install --quiet --disable-pip-version-check --no-deps -r "$list" >&2; then
    cp "$list" "$tools/installed.txt"
    return 0
  fi
  echo "The Python tools of $list could not be installed; see above. They need python3-venv and access to PyPI." >&2
  exit 2
}
