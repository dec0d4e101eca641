/** What is read from a prompt, as one line of text for each shot: what the author would want to check, and all of it. */
import { type Person, readPrompt, type Shot, type Subject } from '../../../src/studio/animatic/prompt/read-prompt.ts';
import { COLOURS } from '../../../src/studio/shared/vocabulary.ts';

/** `0–2 close, slow push-in | river in winter, dawn, snow, calm | fox runs, looks back | “The fox”`; words that are the prompt's own are left out. */
export function readAloud(prompt: string, duration: number): string[] {
  return readPrompt(prompt, { duration, seed: '1' }).map(shot => {
    const parts = [framing(shot), setting(shot), shot.subject ? acting(shot.subject) : 'nobody'];
    if (shot.extras.length > 0) parts.push(shot.extras.join(', '));
    const own = prompt.charAt(0).toUpperCase() + prompt.slice(1);
    return [...parts, ...(shot.words === own ? [] : [`“${shot.words}”`])].join(' | ');
  });
}

const framing = ({ start, end, size, camera, pace }: Shot): string =>
  `${start}–${end} ${size}, ${pace === 'steady' ? '' : `${pace} `}${camera}`;

function setting({ place, time, weather, mood, winter, storm, heavy }: Shot): string {
  const where = `${place}${winter ? ' in winter' : ''}${storm ? ' in a storm' : ''}`;
  return [where, time, ...weather.map(kind => (heavy ? `heavy ${kind}` : kind)), mood].join(', ');
}

function acting({ kind, glyph, action, looksBack, lantern, person }: Subject): string {
  const dressed = [...worn(person), ...(lantern ? ['lantern'] : []), ...(looksBack ? ['looks back'] : [])];
  return [`${glyph ? `${glyph.emoji} ${glyph.noun}${glyph.many ? 's' : ''}` : kind} ${action}`, ...dressed].join(', ');
}

function worn({ woman, child, old, beard, headwear, garment, colour }: Person): string[] {
  const said = { woman, child, old, beard };
  const name = COLOURS.find(([lch]) => colour?.every((value, i) => value === lch[i]))?.[1].split('|')[0];
  return [
    ...Object.entries(said).flatMap(([word, is]) => (is ? [word] : [])),
    ...[headwear, garment].filter(it => it !== 'none' && it !== 'plain'),
    ...(name === undefined ? [] : [name]),
  ];
}
