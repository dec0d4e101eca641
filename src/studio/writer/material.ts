/** Everything that the writer has for one brief: a text and a JSON answer draw on the same beats, titles and scores. */
import { Random } from '../shared/random.ts';
import type { Brief, Unit } from './brief.ts';
import { judge, onScale, rewrite, type Verdict } from './judge.ts';
import { describe } from './seen-image.ts';
import { type Beat, beatsOf, capitalised, readStory, type Story, textsOf, trimmed } from './story.ts';

/** For requests without a logline. */
const IDEAS = [
  'a red fox crosses a frozen river at dawn',
  'an old lighthouse keeper lights the lamp in a storm',
  'a night train crosses a mountain pass in the snow',
  'a girl with a lantern walks through a foggy forest',
  'a robot waters a garden in the desert at sunset',
] as const;

const UNABLE =
  'I am the small deterministic writer of the built-in studio, not a language model, and this is nothing I can answer. In English, I write beats, shots, prompts, titles and loglines for a logline, change or score a prompt, and fill a JSON schema. Set SHOTLIST_CHAT_UPSTREAM to pass chat on to a model that does more.';
const MEASURED =
  'That is all I can say of it: I measure, and know nothing of what is shown. Set SHOTLIST_CHAT_UPSTREAM to pass chat on to a model that sees.';

const MARKS = { number: (n: number) => `${n + 1}. `, bullet: () => '- ', none: () => '' } as const;

export class Material {
  readonly brief: Brief;
  readonly story: Story;
  readonly verdict: Verdict;

  constructor(brief: Brief) {
    const { source, request, variation } = brief;
    const idea = source === '' ? new Random(`idea|${request}|${variation}`).pick(IDEAS) : firstSentence(source);
    this.brief = brief;
    this.story = readStory(idea, variation);
    this.verdict = judge(source);
  }

  /** So many beats of one film. */
  beats(count: number, variation = this.brief.variation): readonly Beat[] {
    return beatsOf(this.story, { ...this.brief, variation, count });
  }

  /** So many texts of one kind. Prompts are takes on the film's one decisive moment. */
  texts(unit: Unit, count: number): readonly string[] {
    const { variation } = this.brief;
    switch (unit) {
      case 'beat':
      case 'scene':
        return this.beats(count).map(({ prompt }) => `${prompt}.`);
      case 'shot':
        return this.beats(count).map(({ prompt, seconds }) => `${prompt}. (${seconds} s)`);
      case 'prompt':
        return Array.from({ length: count }, (_, n) => (n === 0 ? variation : `${variation} take ${n}`))
          .flatMap(take => this.beats(1, take))
          .map(({ prompt }) => `${prompt}.`);
      default:
        return textsOf(this.story, `${unit}s`, count, variation);
    }
  }

  /** How many of a unit were asked for. */
  count(unit: Unit | undefined): number | undefined {
    const { units } = this.brief;
    return (units.find(one => one.unit === unit) ?? units.find(({ count }) => count > 1))?.count;
  }

  /** What is to be written; one prompt where the request names nothing. */
  get units(): Brief['units'] {
    return this.brief.units.length > 0 ? this.brief.units : [{ unit: 'prompt', count: 1 }];
  }

  /** The answer as text. */
  text(): string {
    const { brief, verdict } = this;
    switch (brief.task) {
      case 'none':
        return UNABLE;
      case 'look':
        return `${brief.images.map((image, n) => describe(image, n + 1)).join(' ')} ${MEASURED}`;
      case 'rewrite':
        return rewrite(brief);
      case 'score': {
        const score = onScale(verdict.grade, brief.scale);
        const isBare = /\b(?:only|just) (?:the |a |one )?(?:number|score)\b|\bnothing else\b/i.test(brief.request);
        return isBare ? String(score) : `${score}/${brief.scale[1]}: ${verdict.reason}`;
      }
      case 'write':
        return this.units.map(one => this.#written(one)).join('\n\n');
    }
  }

  #written({ unit, count }: Brief['units'][number]): string {
    const items = this.texts(unit, count);
    const mark = MARKS[items.length === 1 ? 'none' : this.brief.mark];
    const lines = items.map((item, n) => mark(n) + item).join('\n');
    if (this.units.length === 1) return lines;
    return items.length === 1 ? `${capitalised(unit)}: ${lines}` : `${capitalised(unit)}s:\n${lines}`;
  }
}

/** A logline is one sentence. */
const firstSentence = (text: string): string =>
  trimmed((text.split(/(?<=[.!?])\s+(?=[A-Z])|\n/)[0]?.trim() || text).slice(0, 600), 60);
