#!/usr/bin/env bash
# Writes lists of what the programs and the page are made of (CycloneDX) into the folder of the packages:
#
#   packaging/lists.sh FOLDER
set -euo pipefail
folder=$(cd "$1" && pwd)
cd "$(dirname "$0")/.."
export SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct)}
tools=${CARGO_TARGET_DIR:-target}/tools
# It runs for seconds, and optimising it would take minutes.
CARGO_PROFILE_DEV_DEBUG=false cargo install --quiet --debug --locked --root "$tools" cargo-cyclonedx@0.5.9
page=$(mktemp -d)
trap 'rm -rf "$page" {src-tauri,tests,tests/empty-window,xtask,crates/*}/sonde-sbom.json' EXIT
PATH=$tools/bin:$PATH cargo cyclonedx --format json --spec-version 1.5 --target all --override-filename sonde-sbom
for list in src-tauri/sonde-desktop crates/demo/sonde-demo crates/cli/sonde; do
  # It names crates of the project by their folders on this machine.
  sed "s|$PWD|/sonde|g" "${list%/*}/sonde-sbom.json" >"$folder/${list##*/}.cdx.json"
done
# With `--omit dev`, npm would leave out every package that is among the development dependencies of any other.
cp ui/package.json ui/package-lock.json "$page"
(
  cd "$page"
  npm pkg delete devDependencies
  npm install --package-lock-only --offline --no-audit --no-fund --loglevel error
  npm sbom --sbom-format cyclonedx --sbom-type application --package-lock-only >list.json
)
# Dated like the other lists, without a random number.
time=$(date --utc --date "@$SOURCE_DATE_EPOCH" +%FT%TZ)
sed "s|\"timestamp\": \".*\"|\"timestamp\": \"$time\"|; /\"serialNumber\"/d" "$page/list.json" >"$folder/sonde-ui.cdx.json"
