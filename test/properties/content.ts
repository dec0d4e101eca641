/** What programs and models make, by what they are asked for: the same for the same. The model of the language and the world share it. */
import { createHash } from 'node:crypto';
import { canonical, type JsonObject } from '../../src/model/text/json.ts';

export const digestOf = (text: string): string => createHash('sha256').update(text).digest('hex');

/** The JSON that a command prints. */
export function said(argv: readonly string[]): JsonObject & { readonly id: string; readonly flag: boolean } {
  const digest = digestOf(argv.join('\n'));
  const roll = (at: number, below: number) => Number.parseInt(digest.slice(at, at + 2), 16) % below;
  const words = ['p', 'q', `r${digest[9]}`].slice(0, 1 + roll(4, 3));
  return {
    id: digest.slice(0, 6),
    flag: roll(2, 2) === 0,
    list: words,
    rows: words.map((w, at) => ({ w, n: roll(12 + 2 * at, 5), subs: ['u', 'v'].slice(0, 1 + roll(20, 2)) })),
  };
}

/** What a chat answers: the same JSON, as it says it. */
export const answered = (prompt: string) => said(['chat', prompt]);

/** The rows of the file that films read. */
export const DATA_FILE = 'people.json';
export const DATA_ROWS = [
  { w: 'eve', n: 2, subs: ['m'] },
  { w: 'jo', n: 3, subs: ['m', 'o'] },
];

/** The digest of the film that a request gives. */
export const filmed = (model: string, request: JsonObject): string => digestOf(`${model} ${canonical(request)}`);

/** The digest of a cut of these, one behind the other. */
export const joined = (clips: readonly string[]): string => digestOf(`cut ${clips.join(' ')}`);

/** Whether a round holds: what its author asks of an answer, and of a film. */
export const roundHolds = { flag: 'this.json.flag', low: "this.sha256 < '8'" } as const;
/** What an author scores answers and films by. */
export const scores = {
  words: (of: string) => `size(${of}.json.list)`,
  low: (of: string) => `(${of}.sha256 < 'c' ? 1 : 0)`,
} as const;

/** Whether a person says yes to what a step shows, by its name: most of them. */
export const isApproved = (key: string): boolean => Number.parseInt(digestOf(key).slice(0, 1), 16) < 11;
/** What a judge gives the candidate of this number, from 1 on. */
export const judged = (candidate: number): number => (candidate * 7) % 5;

/** Milliseconds that work takes. No two pieces of different work are likely to take equally long. */
const msFor = (work: string): number => 1_000 + (Number.parseInt(digestOf(work).slice(-6), 16) % 60_000);
export const msOfCommand = (argv: readonly string[]): number => msFor(`command ${argv.join('\n')}`);
export const msOfChat = (prompt: string): number => msFor(`chat ${prompt}`);
export const msOfCut = (clips: readonly string[]): number => msFor(`cut ${joined(clips)}`);
export const msOfRequest = (model: string, request: JsonObject): number => msFor(`request ${filmed(model, request)}`);

/** How many generations of this film fail before one succeeds: none of half of them, at most two. */
export const failuresBefore = (sha256: string): number => Math.max(0, (Number.parseInt(sha256.slice(-1), 16) % 6) - 3);
