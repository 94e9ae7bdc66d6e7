#!/usr/bin/env bash
# Writes SHA256SUMS of everything in the folder of the packages, and signs it if CHECKSUMS_SIGNING_KEY is set:
#
#   packaging/checksums.sh FOLDER
set -euo pipefail
cd "$1"
rm -f SHA256SUMS SHA256SUMS.asc
sums=$(sha256sum -- *)
echo "$sums" | tee SHA256SUMS
if [ -z "${CHECKSUMS_SIGNING_KEY:-}" ]; then
  echo "not signed by anybody: CHECKSUMS_SIGNING_KEY is not set"
  exit
fi
GNUPGHOME=$(mktemp -d)
export GNUPGHOME
trap 'gpgconf --kill all; rm -rf "$GNUPGHOME"' EXIT
printf '%s' "$CHECKSUMS_SIGNING_KEY" | gpg --batch --quiet --import
printf '%s' "${CHECKSUMS_SIGNING_KEY_PASSPHRASE:-}" |
  gpg --batch --pinentry-mode loopback --passphrase-fd 0 --armor --detach-sign SHA256SUMS
gpg --verify SHA256SUMS.asc SHA256SUMS
