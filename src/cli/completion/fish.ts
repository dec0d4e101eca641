/** For fish 3 and newer. */
import {
  type CompletedCommand,
  completedCommands,
  firstWords,
  type Offer,
  STEPS_AWK,
  secondWords,
} from './completed.ts';

export function fishCompletion(): string {
  const commands = completedCommands();
  return `# fish completion for shotlist, written by: shotlist tools completion fish
function __shotlist_no_command
    test (count (commandline -opc)) -lt 2
end

function __shotlist_command
    set -l words (commandline -opc)
    set -l last (math 1 + (count $argv))
    test (count $words) -ge $last; and test "$words[2..$last]" = "$argv"
end

# Whether the word behind the command is what is typed now.
function __shotlist_second
    test (count (commandline -opc)) -eq 2; and __shotlist_command $argv
end

# Whether so many words that are no options stand between the command and the cursor.
function __shotlist_place
    set -l words (commandline -opc)
    set -l place 0
    set -l skip no
    for word in $words[3..-1]
        if test $skip = yes
            set skip no
        else if contains -- $word (string split ' ' -- $argv[2])
            set skip yes
        else if not string match -q -- '-*' $word
            set place (math $place + 1)
        end
    end
    test $place -ge (string split '-' -- $argv[1])[1] -a $place -le (string split '-' -- $argv[1])[2]
end

function __shotlist_steps
    for word in (commandline -opc)
        if string match -qr '\\.ya?ml$' -- $word; and test -f $word
            awk '${STEPS_AWK}' $word
            return
        end
    end
end

function __shotlist_pipelines
    __fish_complete_suffix .yaml
    __fish_complete_suffix .yml
end

complete -c shotlist -f
complete -c shotlist -n __shotlist_no_command -l version -d 'its version'
complete -c shotlist -n __shotlist_no_command -l help -d 'every command in a line'
${firstWords()
  .map(({ word, about }) => `complete -c shotlist -n __shotlist_no_command -a ${word} -d ${inQuotes(about)}`)
  .join('\n')}
${[...secondWords()]
  .flatMap(([first, words]) =>
    words.map(
      ({ word, about }) => `complete -c shotlist -n '__shotlist_second ${first}' -a ${word} -d ${inQuotes(about)}`,
    ),
  )
  .join('\n')}
${commands.flatMap(commandLines).join('\n')}
`;
}

/** More than anybody types. */
const MANY = 99;

function commandLines({ name, options, operands }: CompletedCommand): readonly string[] {
  const valued = options.filter(({ value }) => value).map(one => one.name);
  const before = name.split(' ').length - 1;
  const seconds = secondWords().get(name) ?? [];
  const isThis = [
    `__shotlist_command ${name}`,
    ...seconds.map(({ word }) => `and not __shotlist_command ${name} ${word}`),
  ].join('; ');
  return [
    ...options.map(({ name: option, about, value }) => {
      const taken = value === undefined ? '' : ` ${takenAs(value.offer)}`;
      return `complete -c shotlist -n '${isThis}' -l ${option.slice(2)}${taken} -d ${inQuotes(about)}`;
    }),
    ...operands.flatMap(({ offer, isRepeated }, place) => {
      const last = isRepeated ? MANY : place + before;
      const condition = `${isThis}; and __shotlist_place ${place + before}-${last} "${valued.join(' ')}"`;
      return offer.is === 'nothing' ? [] : [`complete -c shotlist -n '${condition}' ${given(offer)}`];
    }),
  ];
}

/** The value of an option: nothing else may come there. */
const takenAs = (offer: Offer): string =>
  offer.is === 'file' ? '-r -F' : offer.is === 'nothing' ? '-x' : `-x ${given(offer)}`;

function given(offer: Offer): string {
  switch (offer.is) {
    case 'words':
      return `-a '${offer.words.join(' ')}'`;
    case 'pipeline':
      return "-a '(__shotlist_pipelines)'";
    case 'file':
      return '-F';
    case 'folder':
      return "-a '(__fish_complete_directories)'";
    case 'step':
      return "-a '(__shotlist_steps)'";
    case 'nothing':
      return '';
  }
}

const inQuotes = (text: string): string => `'${text.replace(/['\\]/g, '\\$&')}'`;
