/** Understanding what happened, what happens, and what would. */
import { type CommandHelp, DATA, FILE, FILM, JSON_DOCUMENT, KEY, onTeam, operand, option, PROFILE } from './option.ts';

export const UNDERSTAND_COMMANDS = {
  why: {
    usage: 'why FILE [KEY…]',
    brief: 'why shot[beat=3] is owned, or would be made again, field by field',
    operands: [FILE, operand('KEY…', 'step', 'instances, or a step for all of its own (default: all)')],
    options: { ...FILM, ...JSON_DOCUMENT },
    examples: {
      "shotlist why film.yaml 'shot[beat=3]'": 'what changed since it was made',
      'shotlist why film.yaml shot --json': 'the same of all shots, for a program',
    },
    exits: [0, 2, 6],
  },
  status: {
    usage: 'status [FILE]',
    brief: 'what runs at this moment, what waits for whom, what is open at the service',
    operands: [{ ...FILE, about: 'one film (default: all of the project)' }],
    options: {
      profile: option('NAME', 'only in this profile (default: in any)'),
      ...JSON_DOCUMENT,
    },
    examples: {
      'shotlist status': 'from any terminal, also while a run goes on: nothing is sent, no run is held up',
      'shotlist status film.yaml --json': 'the same of one film, for a program',
    },
    exits: [0, 1, 2, 6],
  },
  logs: {
    usage: 'logs FILE|RUN KEY',
    brief: "the output of an instance's command, or the service's status of it",
    operands: [{ ...FILE, name: 'FILE|RUN', about: 'the pipeline file; with --on: a run' }, KEY],
    options: {
      ...onTeam("of this RUN of a team, on whichever worker it was made: from the team's store"),
      follow: { short: 'f', about: 'goes on while the instance does' },
      profile: option('NAME', 'only in this profile (default: in any)'),
      ...JSON_DOCUMENT,
    },
    examples: {
      "shotlist logs film.yaml 'voice[beat=3]'": 'its newest attempt',
      'shotlist logs film.yaml voice -f': 'as it is written',
      "shotlist logs fox-7k3m9q 'voice[beat=3]' --on house": 'what a worker has kept of it',
    },
    exits: [0, 1, 2, 6, 130],
  },
  graph: {
    usage: 'graph FILE',
    brief: 'the steps and who reads whom, as mermaid, dot or svg',
    operands: [FILE],
    options: {
      format: option('NAME', 'which of them (default: mermaid)', { oneOf: ['mermaid', 'dot', 'svg'] }),
      ...PROFILE,
      ...DATA,
      ...JSON_DOCUMENT,
    },
    examples: {
      'shotlist graph film.yaml': 'for a page of Markdown',
      'shotlist graph film.yaml --format svg > film.svg': 'a picture',
    },
    exits: [0, 2],
  },
  explain: {
    usage: 'explain [WORD]',
    brief: 'a word of a plan, a key, a function, a model, a setting, an event or an exit code, in full',
    operands: [
      operand(
        'WORD',
        'nothing',
        'steps.matrix, size, V-RT, SHOTLIST_UI, failed, exit 3; without one: all that can be asked for',
      ),
    ],
    options: JSON_DOCUMENT,
    examples: {
      'shotlist explain steps.matrix': 'what may stand there, with an example',
      'shotlist explain exit 3': 'what an exit code means',
    },
    exits: [0, 2],
  },
  doctor: {
    usage: 'doctor FILE',
    brief: 'what is open, unknown, billing or missing, each with the command that settles it',
    operands: [FILE],
    options: {
      ...FILM,
      deep: { about: 'check every stored result, and name those that are damaged' },
      ...JSON_DOCUMENT,
    },
    examples: {
      'shotlist doctor film.yaml --service render-farm': 'it only looks; exit 1 where it finds something',
      'shotlist doctor film.yaml --json': 'the same for a program',
    },
    exits: [0, 1, 2, 6],
  },
} as const satisfies { readonly [name: string]: CommandHelp };
