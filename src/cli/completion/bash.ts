/** For bash 4 and newer, also where bash-completion is not installed. */
import {
  type CompletedCommand,
  type CompletedWord,
  completedCommands,
  firstWords,
  type Offer,
  STEPS_AWK,
  secondWords,
} from './completed.ts';

export function bashCompletion(): string {
  const commands = completedCommands();
  return `# bash completion for shotlist, written by: shotlist tools completion bash
_shotlist_steps() {
  local word
  for word in "\${COMP_WORDS[@]:2}"; do
    case $word in
      *.yaml | *.yml) [[ -f $word ]] && awk '${STEPS_AWK}' "$word" && return ;;
    esac
  done
}

# Folders, and files whose names end in one of these.
_shotlist_files() {
  local file ending
  compopt -o filenames 2>/dev/null
  COMPREPLY=()
  while IFS= read -r file; do
    if [[ -d $file || $# -eq 0 ]]; then COMPREPLY+=("$file"); continue; fi
    for ending in "$@"; do [[ $file == *"$ending" ]] && COMPREPLY+=("$file"); done
  done < <(compgen -f -- "$cur")
}

_shotlist_offer() {
  case $1 in
    pipeline) _shotlist_files .yaml .yml ;;
    file) _shotlist_files ;;
    folder) compopt -o filenames 2>/dev/null; mapfile -t COMPREPLY < <(compgen -d -- "$cur") ;;
    step) mapfile -t COMPREPLY < <(compgen -W "$(_shotlist_steps)" -- "$cur") ;;
    words) shift; mapfile -t COMPREPLY < <(compgen -W "$*" -- "$cur") ;;
  esac
}

_shotlist() {
  local cur=\${COMP_WORDS[COMP_CWORD]} command=\${COMP_WORDS[1]} option= valued= options= place=0 at first=2 second=
  COMPREPLY=()
  if ((COMP_CWORD == 1)); then
    _shotlist_offer words ${wordsOf(firstWords())} --help --version
    return
  fi
  case $command in
${[...secondWords()].map(secondRow).join('\n')}
  esac
  if ((COMP_CWORD > 2)) && [[ " $second " == *" \${COMP_WORDS[2]} "* ]]; then command+=" \${COMP_WORDS[2]}" first=3 second=
  elif ((COMP_CWORD > 2)); then second=
  fi
  case $command in
${commands
  .map(
    ({ name, options }) =>
      `    ${pattern(name)}) options='${options.map(one => one.name).join(' ')}' valued='${options
        .filter(({ value }) => value)
        .map(one => one.name)
        .join(' ')}' ;;`,
  )
  .join('\n')}
    *) _shotlist_offer words $second; return ;;
  esac
  # Bash cuts --ui=plain into three words.
  if [[ $cur == = ]]; then option=\${COMP_WORDS[COMP_CWORD - 1]} cur=
  elif [[ \${COMP_WORDS[COMP_CWORD - 1]} == = ]]; then option=\${COMP_WORDS[COMP_CWORD - 2]}
  elif [[ " $valued " == *" \${COMP_WORDS[COMP_CWORD - 1]} "* ]]; then option=\${COMP_WORDS[COMP_CWORD - 1]}
  fi
  if [[ -n $option ]]; then
    case "$command $option" in
${optionRows(commands)}
    esac
    return
  fi
  if [[ $cur == -* ]]; then
    _shotlist_offer words $options
    return
  fi
  for ((at = first; at < COMP_CWORD; at++)); do
    case \${COMP_WORDS[at]} in
      =) ((at++)) ;;
      -?*) [[ " $valued " == *" \${COMP_WORDS[at]} "* && \${COMP_WORDS[at + 1]} != = ]] && ((at++)) ;;
      *) ((place++)) ;;
    esac
  done
  case "$command $place" in
${operandRows(commands)}
  esac
  [[ -n $second ]] && mapfile -O "\${#COMPREPLY[@]}" -t COMPREPLY < <(compgen -W "$second" -- "$cur")
  return 0
}
complete -F _shotlist shotlist
`;
}

const wordsOf = (words: readonly CompletedWord[]): string => words.map(({ word }) => word).join(' ');

/** A name of two words is one pattern. */
const pattern = (name: string): string => name.replace(' ', '\\ ');

/** What may come second; then the two words are one name. */
const secondRow = ([first, words]: readonly [string, readonly CompletedWord[]]): string =>
  `    ${first}) second='${wordsOf(words)}' ;;`;

/** One row for all that are offered the same. */
function optionRows(commands: readonly CompletedCommand[]): string {
  const rows = new Map<string, string[]>();
  for (const { name, options } of commands)
    for (const option of options) {
      const call = option.value && callOf(option.value.offer);
      if (call !== undefined) rows.set(call, [...(rows.get(call) ?? []), `'${name} ${option.name}'`]);
    }
  return [...rows].map(([call, patterns]) => `      ${patterns.join(' | ')}) ${call} ;;`).join('\n');
}

function operandRows(commands: readonly CompletedCommand[]): string {
  return commands
    .flatMap(({ name, operands }) =>
      operands.flatMap(({ offer, isRepeated }, place) => {
        const call = callOf(offer);
        return call === undefined ? [] : [`    ${isRepeated ? `${quoted(name)}*` : `'${name} ${place}'`}) ${call} ;;`];
      }),
    )
    .join('\n');
}

const quoted = (name: string): string => `'${name} '`;

function callOf(offer: Offer): string | undefined {
  if (offer.is === 'nothing') return undefined;
  return `_shotlist_offer ${offer.is === 'words' ? `words ${offer.words.join(' ')}` : offer.is}`;
}
