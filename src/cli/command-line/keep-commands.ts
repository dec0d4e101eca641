/** Keeping what there is: results from elsewhere, what is open at a service, the disk, the team's store. */
import {
  AS,
  type CommandHelp,
  FILE,
  FILM,
  JSON_DOCUMENT,
  JSON_EVENTS,
  KEY,
  operand,
  option,
  PROFILE,
  SERVICE,
  UI,
} from './option.ts';

export const KEEP_COMMANDS = {
  adopt: {
    usage: 'adopt FILE KEY MEDIA',
    brief: 'a file of your own in the place of what shot[beat=3] would make; --undo removes it',
    operands: [FILE, KEY, operand('MEDIA', 'file', 'looked at, kept, free; it stays until it is given up or --redo')],
    options: {
      undo: { about: 'what was there before is there again' },
      ...AS,
      ...FILM,
      ...JSON_DOCUMENT,
    },
    examples: {
      "shotlist adopt film.yaml 'shot[beat=3]' my.mp4": 'your clip in the place of a paid one',
      "shotlist adopt film.yaml 'shot[beat=3]' --undo": 'its step makes it again',
    },
    exits: [0, 1, 2, 6],
  },
  attach: {
    usage: 'attach FILE KEY ID',
    brief: 'a generation that is at the service already becomes the result of shot[beat=3]',
    operands: [
      FILE,
      KEY,
      operand('ID', 'nothing', "the generation's id: compared field by field, fetched, not paid for again"),
    ],
    options: {
      force: { about: 'also where its request was another, or is unknown' },
      ...FILM,
      ...UI,
      ...JSON_EVENTS,
    },
    examples: {
      "shotlist attach film.yaml 'shot[beat=3]' gen_123": 'bring home what was paid for elsewhere',
      'shotlist attach film.yaml shot gen_123 --force': 'though it was asked for something else',
    },
    exits: [0, 1, 2, 3, 6, 130],
  },
  cancel: {
    usage: 'cancel FILE [KEY…]',
    brief: 'end what earlier runs left going on at the service',
    operands: [FILE, operand('KEY…', 'step', 'these alone (default: all, with the deployments it brought up)')],
    options: {
      ...SERVICE,
      ...PROFILE,
      draft: FILM.draft,
      forget: { about: 'stops waiting for KEY: its outcome is unknown, or its result is gone for good' },
      ...JSON_DOCUMENT,
    },
    examples: {
      'shotlist cancel film.yaml --service render-farm': 'end all that still bills',
      "shotlist cancel film.yaml 'shot[beat=3]' --forget": 'one of unknown outcome',
    },
    exits: [0, 1, 2, 6, 130],
  },
  clean: {
    usage: 'clean [FILE]',
    brief: 'what can be freed of .shotlist/, by kind; --yes frees it; what was paid for stays',
    operands: [{ ...FILE, about: 'whose frames, logs and old results (default: of all films of this project)' }],
    options: {
      yes: { about: 'do it; without it, nothing is removed' },
      paid: { about: 'also results that a service billed, and no lock and no film names any more' },
      ...JSON_DOCUMENT,
    },
    examples: {
      'shotlist clean': 'what it would free, by kind',
      'shotlist clean film.yaml --yes': 'free what can be made again of this film, at no cost',
    },
    exits: [0, 1, 2],
  },
  store: {
    usage: 'store check|push [FILE…]',
    brief: "what the team's store has of the results that the lock names; push sends what it lacks",
    operands: [
      operand('check|push', 'nothing', 'tell what is missing there; or send it', { oneOf: ['check', 'push'] }),
      { ...FILE, name: 'FILE…', about: 'these films (default: every lock file of the project)' },
    ],
    options: JSON_DOCUMENT,
    examples: {
      'shotlist store check': 'what is there, and what would go up; exit 1 where something is missing',
      'shotlist store push film.yaml': 'also what was made before `store` was set; nothing there is deleted',
    },
    exits: [0, 1, 2, 130],
  },
  provenance: {
    usage: 'provenance FILE [RUN]',
    brief: 'where every output comes from, as an RO-Crate and a JSON file beside each',
    operands: [FILE, operand('RUN', 'nothing', 'the id of a run, or how it begins (default: the newest)')],
    options: {
      out: option('DIR', 'where it is written', { takes: 'folder' }),
      license: option('URL', 'of what the film is licensed under'),
      profile: option('NAME', 'only runs in this profile (default: in any)'),
      ...JSON_DOCUMENT,
    },
    examples: {
      'shotlist provenance film.yaml --out crate': 'of the newest run',
      'shotlist provenance film.yaml 8c41 --out crate --license https://creativecommons.org/licenses/by/4.0/':
        'of a run of before',
    },
    exits: [0, 1, 2],
  },
} as const satisfies { readonly [name: string]: CommandHelp };
