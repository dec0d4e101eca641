/** A film in its profiles: what each keeps to itself, what they share, and what is promoted from one to the other. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Promotion } from '../../src/model/run/promotion.ts';
import type { Decider } from '../../src/run/ports/decider.ts';
import { carriedIn } from '../../src/show/plan/promotion-text.ts';
import { type Made, made, picked } from './profile-runs.ts';
import { rig, type StartedRun, withQuickRig } from './rig.ts';

withQuickRig(() => {
  rig.pricing = new Map([
    ['V-T2V-A', { method: 'per_video_output_second', cost_per_second: 0.1 }],
    ['V-T2V-C', { method: 'per_video_output_second', cost_per_second: 0.01 }],
    ['I-GEN-A', { method: 'per_image', cost_per_image: 0.01 }],
  ]);
});

const FILM = `models: { film: V-T2V-A }
profiles:
  draft: { models: { film: V-T2V-C } }
steps:
  title: { model: I-GEN-A, with: { prompt: a fox } }
  shot: { model: film, matrix: { beat: [a, b] }, takes: 3, with: { prompt: "beat \${{ matrix.beat }}", duration: 5 } }
  best: { each: "\${{ steps.shot }}", pick: takes }
  post: { run: [echo, "\${{ steps.best[0].sha256 }}"], effect: true }
outputs:
  film: { from: "\${{ steps.best }}", to: "out/{beat}.mp4" }
`;

/** Picks these, as soon as they are there. */
const picking = (...wanted: readonly string[]): Decider => ({
  choose: async () => undefined,
  decide: async question => {
    const ids = () => question.options.filter(({ key }) => wanted.includes(key)).map(({ id }) => id);
    while (ids().length < question.count && question.awaited.some(key => wanted.includes(key)))
      await new Promise<void>(resolve => void question.onChange(resolve));
    return ids().length === question.count ? { chosen: ids(), by: 'person', who: 'Ada' } : undefined;
  },
});

const byOf = ({ events }: StartedRun) =>
  events.flatMap(event => (event.type === 'chosen' ? [`${event.key} ${event.choice.by}`] : [])).sort();

/** What was picked in this film, to be promoted. */
const promotionOf = (of: Made): Promotion => ({ from: rig.profile ?? 'final', picks: picked(of).decided });
const sections = () => [...(rig.lockText ?? '').matchAll(/^ {2}(\S.*):$/gm)].map(([, name]) => name);
const sectionOf = (name: string) =>
  new RegExp(`^ {2}${name}:\\n((?: {4}.*\\n)*)`, 'm').exec(rig.lockText ?? '')?.[1] ?? '';

describe('a profile', () => {
  test('has its own section, its own places and no act outside; the real film takes over what it asks alike', async () => {
    rig.decider = picking('shot[beat=a,take=2]', 'shot[beat=b,take=1]');
    const draft = await made('draft', FILM);
    expect([draft.outcome.is, draft.sent.length]).toEqual(['done', 7]);
    expect(draft.film.plan.instances.get('post' as never)?.decision).toMatchObject({
      is: 'skip',
      why: 'it acts outside, and this is the profile draft',
    });
    expect([existsSync(join(rig.folder, 'out/draft/a.mp4')), existsSync(join(rig.folder, 'out/a.mp4'))]).toEqual([
      true,
      false,
    ]);
    expect(sections()).toEqual(['choices of house in draft', 'house in draft']);
    const before = sectionOf('house in draft');
    rig.decider = undefined;
    const final = await made(undefined, FILM);
    expect(final.sent).toEqual(['a', 'b'].flatMap(beat => [1, 2, 3].map(take => `shot[beat=${beat},take=${take}]`)));
    expect(final.outcome.is).toBe('waiting');
    expect(final.film.plan.instances.get('title' as never)?.decision).toMatchObject({ is: 'hit' });
    expect(sections()).toEqual(['choices of house in draft', 'house', 'house in draft']);
    expect(sectionOf('house in draft')).toBe(before);
    expect(existsSync(join(rig.folder, 'out/a.mp4'))).toBe(false);
  });

  test('in a fresh clone too, what is asked alike is found in the section of the other profile', async () => {
    rig.decider = picking('shot[beat=a,take=2]', 'shot[beat=b,take=1]');
    await made('draft', FILM);
    await rig.cloneAfresh();
    expect((await made('draft', FILM)).sent).toEqual([]);
    await rig.cloneAfresh();
    expect((await made(undefined, FILM)).sent).not.toContain('title');
  });

  test('leaves a lock from before there were profiles as it is: that is the real film', async () => {
    rig.decider = picking('shot[beat=a,take=2]', 'shot[beat=b,take=1]');
    const old = FILM.replace(/profiles:\n.*\n/, '');
    await made(undefined, old);
    const before = rig.lockText;
    rig.decider = picking('shot[beat=a,take=3]', 'shot[beat=b,take=3]');
    await made('draft', FILM);
    expect(sectionOf('house')).toBe(before?.slice(before.indexOf('  house:\n') + '  house:\n'.length));
    await rig.cloneAfresh();
    expect((await made(undefined, FILM)).sent).toEqual([]);
  });

  test('has its own budget, and counts in that of the film', async () => {
    const text = FILM.replace(
      'models: { film: V-T2V-C } }',
      'models: { film: V-T2V-C }, budget: { usd: 0.35 } }',
    ).replace('models: { film: V-T2V-A }\nprofiles', 'models: { film: V-T2V-A }\nbudget: { usd: 1.4 }\nprofiles');
    rig.decider = picking('shot[beat=a,take=2]', 'shot[beat=b,take=1]');
    const draft = await made('draft', text);
    // $0.01 for the title, $0.05 a take.
    expect(draft.film.events.at(-1)).toMatchObject({
      outcome: 'done',
      budget: [
        { of: 'film', limit: 1.4, spent: 0.31 },
        { of: 'profile', limit: 0.35, spent: 0.31 },
      ],
    });
    const final = await made(undefined, text);
    // Two at $0.50 fit beside what the draft has cost.
    expect([final.outcome.is, final.sent.length]).toEqual(['budget', 2]);
    expect(final.film.events.at(-1)).toMatchObject({ budget: [{ of: 'film', limit: 1.4, spent: 1.31 }] });
    // One more take of each does not fit any more.
    rig.decider = undefined;
    const again = await made('draft', text.replace('takes: 3', 'takes: 4'));
    expect([again.outcome.is, again.sent]).toEqual(['budget', []]);
    const clone = text.replace('usd: 1.4', 'usd: 9');
    await rig.cloneAfresh();
    expect((await made('draft', clone)).film.events.at(-1)).toMatchObject({
      budget: [
        { of: 'film', spent: 1.31 },
        { of: 'profile', spent: 0.31 },
      ],
    });
  });
});

describe('what was picked in a draft', () => {
  const draft = async () => {
    rig.decider = picking('shot[beat=a,take=2]', 'shot[beat=b,take=3]');
    const ran = await made('draft', FILM);
    rig.decider = undefined;
    rig.promotion = promotionOf(ran);
    return ran;
  };

  test('is made in the real film, and nothing of what lost; then it replays by itself, also in a fresh clone', async () => {
    await draft();
    expect(rig.promotion?.picks).toMatchObject([
      { key: 'best[beat=a]', chosen: ['shot[beat=a,take=2]'], who: 'Ada' },
      { key: 'best[beat=b]', chosen: ['shot[beat=b,take=3]'], who: 'Ada' },
    ]);
    const final = await made(undefined, FILM);
    expect([final.outcome.is, final.sent]).toEqual(['done', ['shot[beat=a,take=2]', 'shot[beat=b,take=3]']]);
    expect(byOf(final.film)).toEqual(['best[beat=a] promoted', 'best[beat=b] promoted']);
    expect(sectionOf('choices of house')).toMatch(
      /best\[beat=a\]:\n {6}chosen: shot\[beat=a,take=2\]\n {6}by: promoted\n {6}who: Ada\n/,
    );
    expect(existsSync(join(rig.folder, 'out/b.mp4'))).toBe(true);
    rig.promotion = undefined;
    expect((await made(undefined, FILM)).sent).toEqual([]);
    await rig.cloneAfresh();
    const clone = await made(undefined, FILM);
    expect([clone.outcome.is, clone.sent]).toEqual(['done', []]);
  });

  test('has the same seeds: the take counts on from the same number', async () => {
    const { film } = await draft();
    const seedIn = (one: StartedRun) => one.plan.instances.get('shot[beat=b,take=3]' as never)?.request?.seed;
    // V-T2V-C has none, and nobody says otherwise.
    expect([seedIn(film), seedIn((await made(undefined, FILM)).film)]).toEqual([undefined, 3]);
  });

  test('and picked otherwise since is what counts; a choice of a person in the real film stays', async () => {
    await draft();
    await made(undefined, FILM);
    const [first, second] = rig.promotion?.picks ?? [];
    rig.promotion = { from: 'draft', picks: [{ ...first!, chosen: ['shot[beat=a,take=1]' as never] }, second!] };
    const again = await made(undefined, FILM);
    expect([again.sent, byOf(again.film)]).toEqual([['shot[beat=a,take=1]'], ['best[beat=a] promoted']]);
    expect((await made(undefined, FILM)).sent).toEqual([]);
    const { choices } = again.film.context;
    expect(choices).toBeDefined();
  });

  test('is asked anew where there is more to choose from', async () => {
    await draft();
    const wider = FILM.replace('takes: 3', 'takes: 4');
    const final = await made(undefined, wider);
    expect([final.outcome.is, final.sent.length]).toEqual(['waiting', 8]);
    expect(carriedIn(final.film.plan, final.film.context, rig.promotion!.picks[0]!)).toBe('asked');
  });

  test('does not carry a choice that the draft itself would ask again', async () => {
    await draft();
    rig.promotion = undefined;
    const changed = await made('draft', FILM.replace('"beat ', '"the beat '));
    expect(picked(changed)).toMatchObject({ decided: [], open: ['best[beat=a]', 'best[beat=b]'] });
  });

  test('half of it: the other half is open', async () => {
    rig.decider = picking('shot[beat=a,take=2]');
    const ran = await made('draft', FILM);
    const { decided, open } = picked(ran);
    expect([decided.map(({ key }) => key as string), open]).toEqual([['best[beat=a]'], ['best[beat=b]']]);
  });
});

/** What the losers' shots would ask for is never known: their clips are not made. */
const CHAIN = `profiles:
  draft: { params: { look: rough } }
params: { look: { type: string, default: fine } }
steps:
  clip: { model: V-T2V-A, matrix: { who: [fox, owl] }, with: { prompt: "a \${{ matrix.who }}, \${{ params.look }}", duration: 5 } }
  shot: { each: "\${{ steps.clip }}", model: V-UP, with: { input_video: "\${{ each.result_url }}", resolution: 720p } }
  best: { pick: "\${{ steps.shot }}", save: out/best.mp4 }
`;

test('a chain of picks makes nothing for what lost, though nobody can tell what that would ask for; and so ever after', async () => {
  rig.decider = picking('shot[who=owl]');
  const ran = await made('draft', CHAIN);
  rig.decider = undefined;
  rig.promotion = promotionOf(ran);
  const final = await made(undefined, CHAIN);
  expect([final.outcome.is, final.sent]).toEqual(['done', ['clip[who=owl]', 'shot[who=owl]']]);
  expect(sectionOf('choices of house')).toContain('shot[who=fox]: not made');
  rig.promotion = undefined;
  expect((await made(undefined, CHAIN)).sent).toEqual([]);
  await rig.cloneAfresh();
  expect((await made(undefined, CHAIN)).sent).toEqual([]);
  // Another film under the same names is another question.
  const other = await made(undefined, CHAIN.replace('720p', '1080p'));
  expect([other.outcome.is, other.sent.length]).toEqual(['waiting', 3]);
});
