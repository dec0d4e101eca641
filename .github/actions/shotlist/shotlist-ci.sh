#!/usr/bin/env bash
# Shotlist in a CI system: a plan for whoever reads a change, or the film itself. What every system calls differently comes in variables.
#
#   shotlist-ci.sh plan FILE…   one page of Markdown for each film, in $SHOTLIST_CI_OUT/plan.md
#   shotlist-ci.sh prove FILE…  ends with 3 where making the films would cost anything
#   shotlist-ci.sh run FILE…    makes the films; JUnit and report in $SHOTLIST_CI_OUT
#
#   SHOTLIST       how Shotlist is called: a program and its first arguments, parted by blanks   (npx --yes shotlist)
#   BASE           the branch that a change goes into: origin/main                     (none: nothing is compared)
#   OPTIONS        for every call, parted by blanks: --service prod --profile draft
#   RUN_OPTIONS    for `run` alone: --max-usd 20
#   SHOTLIST_CI_OUT   where files go                                                   (shotlist-ci)
#
# Ends with the highest exit code of its films: 0 done, 1 failed, 2 a mistake, 3 would be paid, 4 a budget, 5 a person has to choose.
set -uo pipefail

fail() { printf 'shotlist-ci: %s\n' "$1" >&2; exit 2; }

what=${1-}
[ "$#" -gt 1 ] || fail 'which film? shotlist-ci.sh plan|prove|run FILE…'
shift
read -r -a shotlist <<<"${SHOTLIST:-npx --yes shotlist}"
read -r -a options <<<"${OPTIONS:-}"
read -r -a run_options <<<"${RUN_OPTIONS:-}"
out=${SHOTLIST_CI_OUT:-shotlist-ci}
mkdir -p "$out" || fail "$out cannot be made; name another folder in SHOTLIST_CI_OUT"

worst=0
note() { if [ "$1" -gt "$worst" ]; then worst=$1; fi; }

# films/a.yaml → films-a: what stands in for the film in names of files.
name_of() { local name=${1%.yaml}; name=${name%.yml}; printf '%s' "${name//[^A-Za-z0-9_.]/-}"; }

plan() {
  local base=()
  if [ -n "${BASE:-}" ]; then
    base=(--base "$BASE")
    # A shallow clone has the change alone.
    case $BASE in
      origin/*) git rev-parse --verify --quiet "$BASE^{commit}" >/dev/null || git fetch --quiet --depth=1 origin "+refs/heads/${BASE#origin/}:refs/remotes/$BASE" || fail "git cannot fetch $BASE" ;;
    esac
  fi
  : >"$out/plan.md"
  for file in "$@"; do
    "${shotlist[@]}" plan "$file" --format markdown ${base[@]+"${base[@]}"} ${options[@]+"${options[@]}"} >"$out/one.md"
    local code=$?
    note "$code"
    if [ "$code" -ne 0 ] && ! [ -s "$out/one.md" ]; then
      printf '<!-- shotlist plan %s -->\n### ❌ %s cannot be planned (exit %s); the log says why\n' "${file//[^A-Za-z0-9_.\/-]/_}" "$(name_of "$file")" "$code" >"$out/one.md"
    fi
    { cat "$out/one.md"; printf '\n'; } >>"$out/plan.md"
  done
  rm -f "$out/one.md"
}

prove() {
  for file in "$@"; do
    "${shotlist[@]}" plan "$file" --frozen ${options[@]+"${options[@]}"}
    note "$?"
  done
}

run() {
  local here=()
  if [ "${GITHUB_ACTIONS:-}" = true ]; then here=(--report github); fi
  for file in "$@"; do
    local name
    name=$(name_of "$file")
    "${shotlist[@]}" run "$file" --ui plain --report "junit=$out/$name.xml" --report "html=$out/$name" \
      ${here[@]+"${here[@]}"} ${options[@]+"${options[@]}"} ${run_options[@]+"${run_options[@]}"}
    note "$?"
  done
}

case $what in
  plan | prove | run) "$what" "$@" ;;
  *) fail "there is no $what; it is plan, prove or run" ;;
esac
exit "$worst"
