/** When and where each visible reference is seen: in the shot that speaks of it, at the side it names; else in turn. */
import type { LocalInput, RenderJob } from '../job.ts';
import type { SlateShot } from '../slate/slate.ts';

export type Side = 'left' | 'centre' | 'right';

export interface Reference {
  readonly kind: 'face' | 'image' | 'face video' | 'video';
  /** `@image2`. */
  readonly tag: string;
  readonly input: LocalInput;
}

interface Standing {
  readonly reference: Reference;
  /** Which of the film's shots it is in, from 0. */
  readonly shot: number;
  /** Frames: the first with it, and the first without it again. */
  readonly from: number;
  readonly to: number;
  /** Absent: no words name one. */
  readonly side?: Side | undefined;
  /** Which of how many that stand together, from the left. */
  readonly beside: number;
  readonly of: number;
}

/** How a prompt calls them. "Image 2", "@image2", "图2". */
const FIELDS = [
  ['input_face_images', 'face', 'face', '(?:face|person|character|人脸|人物|角色)'],
  ['input_images', 'image', 'image', '(?:image|picture|photo|图片?|图像|照片)'],
  ['input_face_videos', 'face video', 'facevideo', '(?:face ?video|人脸视频)'],
  ['input_videos', 'video', 'video', '(?<!face ?|人脸)(?:video|clip|视频)'],
] as const;

/** Seconds. Quicker than this one sees that something was there, not what: beyond it they share their turn. */
const SHORTEST = 0.75;
/** Seconds. A reference is shown, not lived with; and no more of a film than this is held in memory. */
const LONGEST = 4;

export function references(inputs: RenderJob['inputs']): readonly Reference[] {
  return FIELDS.flatMap(([field, kind, tag]) =>
    (inputs[field] ?? []).map((input, i) => ({ kind, tag: `@${tag}${i + 1}`, input })),
  );
}

/** Seconds that all references need to be seen one after the other. */
export const timeFor = (inputs: RenderJob['inputs']): number => references(inputs).length * 1.5;

export function standing(inputs: RenderJob['inputs'], shots: readonly SlateShot[], fps: number): readonly Standing[] {
  const all = references(inputs);
  const named = all.map(reference => spokenOf(reference, shots));
  const free = emptiest(shots, named);
  const shotOf = (i: number): number => named[i]?.shot ?? free.shift() ?? 0;
  const placed = all.map((reference, i) => ({ reference, shot: shotOf(i), side: named[i]?.side }));
  return shots.flatMap((shot, index) =>
    inTurn(
      { ...shot, index },
      placed.filter(one => one.shot === index),
      fps,
    ),
  );
}

/** A shot for each that the words do not name, in the film's order: where there is most time left for it. */
function emptiest(shots: readonly SlateShot[], named: readonly ({ readonly shot: number } | undefined)[]): number[] {
  const counts = shots.map((_, shot) => named.filter(one => one?.shot === shot).length);
  const free: number[] = [];
  for (const one of named) {
    if (one !== undefined) continue;
    const room = shots.map(({ start, end }, shot) => (end - start) / (counts[shot]! + 1));
    const shot = room.indexOf(Math.max(...room));
    counts[shot]!++;
    free.push(shot);
  }
  return free.sort((a, b) => a - b);
}

function inTurn(
  { start, end, index: shot }: SlateShot & { readonly index: number },
  placed: readonly { readonly reference: Reference; readonly side: Side | undefined }[],
  fps: number,
): Standing[] {
  if (placed.length === 0) return [];
  const [first, last] = [Math.round(start * fps), Math.round(end * fps)];
  const turns = Math.max(1, Math.min(placed.length, Math.floor((end - start) / SHORTEST)));
  const edge = (turn: number) => first + Math.round(((last - first) * turn) / turns);
  const turnOf = (i: number) => Math.floor((i * turns) / placed.length);
  return placed.map(({ reference, side }, i) => {
    const turn = turnOf(i);
    const together = placed.filter((_, other) => turnOf(other) === turn);
    const from = edge(turn);
    return {
      reference,
      shot,
      from,
      to: Math.min(edge(turn + 1), from + Math.round(LONGEST * fps)),
      side,
      beside: together.findIndex(other => other.reference === reference),
      of: together.length,
    };
  });
}

/** Where the prompt names it, and the first side after the name. */
function spokenOf(
  { tag }: Reference,
  shots: readonly SlateShot[],
): { shot: number; side: Side | undefined } | undefined {
  const [, , , words] = FIELDS.find(field => tag.replace(/\d+$/, '') === `@${field[2]}`)!;
  const name = new RegExp(String.raw`@?${words}\s*#?${tag.match(/\d+$/)![0]}(?!\d)(.{0,40})`, 'i');
  for (const [shot, { words: said }] of shots.entries()) {
    const match = said.match(name);
    if (match) return { shot, side: sideIn(match[1] ?? '') };
  }
  return undefined;
}

function sideIn(said: string): Side | undefined {
  const found = said.match(/\bleft\b|\bright\b|\bmiddle\b|\bcent(?:re|er)\b|左|右|中间/i)?.[0].toLowerCase();
  if (found === undefined) return undefined;
  return found === 'left' || found === '左' ? 'left' : found === 'right' || found === '右' ? 'right' : 'centre';
}
