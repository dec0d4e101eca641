/** Commands by which a person decides; also while a run of the film goes on: it follows within a second, and the lock is written at once. */
import type { CommandHelp, Options } from './option.ts';
import { AS, FILE, FILM, JSON_DOCUMENT } from './shared-options.ts';

const ON = {
  on: { value: 'TEAM', takes: 'nothing', about: 'of the film as a team makes it: its runs that wait go on' },
} as const satisfies Options;
const DECIDING = {
  ...ON,
  note: { value: 'TEXT', about: 'why: kept in the lock with the choice' },
  ...AS,
  ...FILM,
  ...JSON_DOCUMENT,
} as const satisfies Options;

export const CHOOSING_COMMANDS = {
  pick: {
    usage: 'pick FILE [PICK WHICH…]',
    brief: 'choose; alone: what is open to be chosen, asked at a terminal',
    operands: [
      FILE,
      {
        name: 'PICK WHICH…',
        takes: 'step',
        about: 'a pick, and what is chosen in it: by coordinates, a number, or a name; best first where several are',
      },
    ],
    options: DECIDING,
    examples: [
      { line: "shotlist pick film.yaml 'best[beat=3]' take=2", about: 'the second take of the third beat' },
      { line: 'shotlist pick film.yaml best 1 other \'shot[take=3]\' --note "the calm one"', about: 'two at once' },
    ],
    exits: [0, 1, 2, 6, 130],
  },
  approve: {
    usage: 'approve FILE [STEP…]',
    brief: 'say yes, or --no; alone: what is open to be approved, asked at a terminal',
    operands: [FILE, { name: 'STEP…', takes: 'step', about: 'approvals, or instances of them' }],
    options: { no: { about: 'say no' }, ...DECIDING },
    examples: [
      { line: 'shotlist approve film.yaml ok', about: 'yes' },
      { line: 'shotlist approve film.yaml ok final --no --note "the logo is bent"', about: 'no, and why' },
    ],
    exits: [0, 1, 2, 6, 130],
  },
  repick: {
    usage: 'repick FILE STEP…',
    brief: 'forget a choice or an approval: the next run asks again',
    operands: [FILE, { name: 'STEP…', takes: 'step', about: 'picks and approvals, or instances of them' }],
    options: { ...ON, ...FILM, ...JSON_DOCUMENT },
    examples: [
      { line: "shotlist repick film.yaml 'best[beat=3]'", about: 'one of them is open again' },
      { line: 'shotlist repick film.yaml best,ok', about: 'all of both' },
    ],
    exits: [0, 1, 2, 6],
  },
} as const satisfies { readonly [name: string]: CommandHelp };
