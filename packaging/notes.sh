#!/usr/bin/env bash
# Prints the notes of a release, the section of CHANGELOG.md about its version:
#
#   packaging/notes.sh TAG
#
# Fails unless the tag is `v` and the version of the workspace, which its packages have, and changelog and metainfo have
# that version with the same date.
set -euo pipefail
cd "$(dirname "$0")/.."
version=$(sed -n 's/^version = "\(.*\)"$/\1/p' Cargo.toml)
if [ "$1" != "v$version" ]; then
  echo "the tag is “$1”, but the version in Cargo.toml is $version: its packages would have another version than the" \
    "release. Either set the version and tag that commit, or delete the tag and push v$version" >&2
  exit 1
fi
heading="## [$version] - "
date=$(awk -v heading="$heading" 'index($0, heading) == 1 { print substr($0, length(heading) + 1) }' CHANGELOG.md)
section=$(awk -v heading="$heading" '/^## / { inside = index($0, heading) == 1; next } inside' CHANGELOG.md)
if [ -z "$section" ]; then
  echo "CHANGELOG.md has no section “${heading}YYYY-MM-DD”, or it is empty" >&2
  exit 1
fi
release="<release version=\"$version\" date=\"$date\"/>"
if ! grep --quiet --fixed-strings "$release" packaging/linux/dev.sonde.app.metainfo.xml; then
  echo "the metainfo in packaging/linux has not $release, which CHANGELOG.md says" >&2
  exit 1
fi
echo "$section"
