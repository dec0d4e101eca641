/** `pipelines/guide/commands.md`: the table of commands, group by group. */
import { type CommandName, GROUPS, helpOf } from '../src/cli/command-line/commands.ts';

export function commandGuide(): string {
  const groups = Object.entries(GROUPS).map(([name, { about, commands }]) => section(name, about, commands));
  return `# The commands

${groups.join('\n\n')}

\`shotlist help run\` tells all of one: examples, every option, exit codes; \`shotlist help team\` the commands of a group. Every command has \`--json\`,
but for the language server.

\`--param idea="a hare at dusk"\` fills in a param, \`--draft\` draws small and quick, \`--ui plain|json|quiet\` suits logs and CI.
\`SHOTLIST_STUDIO_CACHE=~/.cache/shotlist\`, or \`shotlist studio --cache DIR\`, keeps what the built-in studio draws by its content: what ten
films have in common is drawn once. The folder holds 2 GB, and what was not used for longest is deleted first.
The whole language stands in [\`schema/README.md\`](../../schema/README.md), and [commands of your own](own-commands.md) in a film on a page of theirs.
`;
}

function section(name: string, about: string, commands: readonly CommandName[]): string {
  const rows = commands.map(command => {
    const { usage, brief } = helpOf(command);
    return `| \`shotlist ${usage.replaceAll('|', '\\|')}\` | ${brief} |`;
  });
  return [`## ${name.charAt(0).toUpperCase()}${name.slice(1)}: ${about}`, '', '| | |', '| --- | --- |', ...rows].join(
    '\n',
  );
}
