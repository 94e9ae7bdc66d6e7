#!/usr/bin/env bash
# Packs once more what `cargo xtask bundle` has compiled, and signs it, with the keys of the environment (Linux, macOS):
#
#   packaging/sign.sh KINDS FOLDER [--debug]
#
# Replaces the packages of FOLDER. Starts the packers alone: build scripts, macros and packages of npm are code of
# others, which must not run beside a key.
set -euo pipefail
if [ -z "${TAURI_SIGNING_RPM_KEY:-}${APPLE_SIGNING_IDENTITY:-}" ]; then
  echo "not signed by anybody: neither TAURI_SIGNING_RPM_KEY nor APPLE_SIGNING_IDENTITY is set"
  exit
fi
kinds=$1
folder=$(cd "$2" && pwd)
shift 2
cd "$(dirname "$0")/../src-tauri"
target=${CARGO_TARGET_DIR:-../target}/$([ "$*" = --debug ] && echo debug || echo release)
# Tauri takes an empty variable for a key.
for name in $(compgen -e); do
  [ -n "${!name}" ] || unset "$name"
done
node ../packaging/node_modules/@tauri-apps/cli/tauri.js bundle --ci --no-binary-patching --bundles "$kinds" \
  --config tauri.bundle.conf.json "$@"
for kind in ${kinds//,/ }; do
  for package in "$target/bundle/$kind"/*."$kind"; do
    cp "$package" "$folder"
  done
done
if [ -n "${TAURI_SIGNING_RPM_KEY:-}" ]; then
  # rpm has to take the package for that of the key's owner.
  GNUPGHOME=$(mktemp -d)
  export GNUPGHOME
  trap 'gpgconf --kill all; rm -rf "$GNUPGHOME"' EXIT
  printf '%s' "$TAURI_SIGNING_RPM_KEY" | gpg --batch --quiet --import
  gpg --armor --export >"$GNUPGHOME/public.asc"
  check=(rpmkeys --dbpath "$GNUPGHOME/rpm" --define "_pkgverify_level all")
  "${check[@]}" --import "$GNUPGHOME/public.asc"
  "${check[@]}" --checksig "$folder"/*.rpm
fi
