/** The answer as text. */
import { capitalised } from './beats.ts';
import type { Brief } from './brief.ts';
import type { Material } from './material.ts';
import { describe } from './seen-image.ts';
import type { Unit } from './split-instruction.ts';

const INTRODUCTION =
  'I am the small deterministic writer of the built-in studio: no neural network. I turn a logline into beats, shots, prompts, titles and loglines, shorten or change a prompt, score one by its words, and answer in JSON by a schema. Try: three beats about a fox who crosses a frozen river.';
const PUZZLED =
  'I am a small deterministic writer of shot lists, not a language model, and this is nothing I can answer. I can write beats, shots, prompts, titles and loglines for a logline, change or score a prompt, and fill a JSON schema; for anything else the studio passes chat on when SHOTLIST_CHAT_UPSTREAM is set.';
const FOREIGN =
  'I read and write English alone: I am a small deterministic writer without a neural network. Set SHOTLIST_CHAT_UPSTREAM to pass chat on to a model that reads more.';
const NO_TRANSLATION =
  'I cannot translate: I am a small deterministic writer without a neural network, and English is all I write. Set SHOTLIST_CHAT_UPSTREAM to pass chat on to a model that can.';

const NO_EYES =
  'That is all I can say of it: I measure, and know nothing of what is shown. Set SHOTLIST_CHAT_UPSTREAM to pass chat on to a model that sees.';

export function textAnswer(material: Material): string {
  const { brief } = material;
  switch (brief.task.is) {
    case 'introduce':
      return INTRODUCTION;
    case 'puzzled':
      return PUZZLED;
    case 'foreign':
      return FOREIGN;
    case 'look':
      return `${brief.images.map((image, n) => describe(image, n + 1)).join(' ')} ${NO_EYES}`;
    case 'translate':
      return NO_TRANSLATION;
    case 'rewrite':
      return material.rewritten;
    case 'score':
      return brief.task.bare ? String(material.score) : scored(material, brief.task.to);
    case 'write': {
      const { units } = brief.task;
      if (units.length === 1 && units[0]) return written(units[0].unit, units[0].count, material).join('\n');
      return units
        .map(({ unit, count }) => {
          const lines = written(unit, count, material);
          const name = capitalised(unit === 'line' ? 'voice-over' : unit);
          return lines.length === 1 ? `${name}: ${lines[0]}` : `${name}s:\n${lines.join('\n')}`;
        })
        .join('\n\n');
    }
  }
}

/** Item by item where a list is judged. */
function scored({ brief, verdict, score }: Material, to: number): string {
  const seen = /https?:\/\/|<image>|\bimage\b/i.test(brief.sourceText)
    ? ' I see no pictures: these are the words alone.'
    : '';
  return `${score}/${to}: ${verdict.reason}.${seen}`;
}

function written(unit: Unit, count: number, material: Material): readonly string[] {
  const { brief } = material;
  if (brief.timecodes && (unit === 'shot' || unit === 'beat' || unit === 'scene' || unit === 'prompt'))
    return [timecoded(material, brief.pictures ?? Math.max(2, count))];
  return listed(itemsOf(unit, count, material), brief);
}

function itemsOf(unit: Unit, count: number, material: Material): readonly string[] {
  switch (unit) {
    case 'beat':
    case 'scene':
      return material.beats(count).map(({ prompt }) => `${prompt}.`);
    case 'shot':
      return material.beats(count).map(({ prompt, seconds }) => `${prompt}. (${seconds} s)`);
    case 'prompt':
      return material.prompts(count).map(prompt => `${prompt}.`);
    case 'title':
      return material.titles(count);
    case 'logline':
      return material.loglines(count);
    case 'line':
      return material.lines(count);
  }
}

/** One prompt of several shots, as video models with timed prompts take it. */
const timecoded = (material: Material, count: number): string => {
  let at = 0;
  return material
    .beats(count)
    .map(({ prompt, seconds }) => {
      const from = at;
      at += seconds;
      return `[${from}-${at}s] ${prompt.charAt(0).toLowerCase()}${prompt.slice(1)}.`;
    })
    .join(' ');
};

function listed(items: readonly string[], { list }: Brief): readonly string[] {
  if (items.length === 1 || list === 'lines') return items;
  return items.map((item, n) => (list === 'bullets' ? `- ${item}` : `${n + 1}. ${item}`));
}
