/** For zsh with its completion system (`compinit`): a file `_shotlist` in a folder of `$fpath`. */
import {
  type CompletedCommand,
  type CompletedWord,
  completedCommands,
  firstWords,
  type Offer,
  STEPS_AWK,
  secondWords,
} from './completed.ts';

export function zshCompletion(): string {
  const commands = completedCommands();
  return `#compdef shotlist
# zsh completion for shotlist, written by: shotlist tools completion zsh
_shotlist_steps() {
  local word
  local -a names
  for word in $words; do
    if [[ $word == *.(yaml|yml) && -f $word ]]; then
      names=(\${(f)"$(awk '${STEPS_AWK}' $word)"})
      break
    fi
  done
  compadd -a names
}

_shotlist() {
  local curcontext="$curcontext" state line
  _arguments -C '1:command:->command' '*::argument:->argument'
  case $state in
    command)
      local -a commands=(
${firstWords().map(wordRow).join('\n')}
      )
      _describe command commands
      ;;
    argument)
      local -a second
      case $words[1] in
${[...secondWords()].map(([first, words]) => `        ${first}) second=(\n${words.map(wordRow).join('\n')}\n        ) ;;`).join('\n')}
      esac
      if (( $#second && CURRENT == 2 )); then
        _describe command second
      elif (( \${second[(I)$words[2]:*]} )); then
        words=("$words[1] $words[2]" "\${(@)words[3,-1]}")
        (( CURRENT-- ))
      fi
      case $words[1] in
${commands.map(commandRow).join('\n')}
      esac
      ;;
  esac
}

if [[ $funcstack[1] == _shotlist ]]; then _shotlist "$@"; else compdef _shotlist shotlist; fi
`;
}

const wordRow = ({ word, about }: CompletedWord): string => `        ${inQuotes(`${word}:${about}`)}`;

function commandRow({ name, options, operands }: CompletedCommand): string {
  const specs = [
    ...options.map(({ name: option, about, isRepeated, value }) => {
      const taken = value === undefined ? '' : `:${escaped(value.name)}:${actionOf(value.offer)}`;
      return `${isRepeated ? '*' : ''}${option}${value === undefined ? '' : '='}[${escaped(about)}]${taken}`;
    }),
    ...operands.map(
      ({ name: operand, offer, isRepeated }, at) =>
        `${isRepeated ? '*' : at + 1}:${escaped(operand)}:${actionOf(offer)}`,
    ),
  ];
  return [
    `        ${inQuotes(name)})`,
    `          _arguments \\`,
    `            ${specs.map(inQuotes).join(' \\\n            ')}`,
    '          ;;',
  ].join('\n');
}

function actionOf(offer: Offer): string {
  switch (offer.is) {
    case 'words':
      return `(${offer.words.map(escaped).join(' ')})`;
    case 'pipeline':
      return '_files -g "*.(yaml|yml)(-.)"';
    case 'file':
      return '_files';
    case 'folder':
      return '_files -/';
    case 'step':
      return '_shotlist_steps';
    case 'nothing':
      return ' ';
  }
}

const escaped = (text: string): string => text.replace(/[[\]:\\]/g, '\\$&');
const inQuotes = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;
