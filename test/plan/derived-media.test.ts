/** Frames and sound of a video in a plan: named by the video's content as soon as that is known, and told by their facts before. */
import { describe, expect, it } from 'vitest';
import type { MediaFacts } from '../../src/model/media/media.ts';
import { isPending } from '../../src/model/plan.ts';
import type { InstanceKey } from '../../src/model/run/key.ts';
import { localFilesInPlan } from '../../src/plan/media/local-file-check.ts';
import { planJson } from '../../src/show/plan/plan-json.ts';
import { decisions, media, planOf, Shelf, shown } from './support.ts';

const WALK = `
steps:
  shot: { model: V-T2V-A, with: { prompt: a fox, duration: 5, resolution: 720P } }
  more: { model: V-I2V-A, with: { prompt: on, input_image: "\${{ steps.shot.last_frame }}" } }
outputs:
  poster: { from: "\${{ steps.shot.frame_at('2.5s') }}", to: out/poster.png }
`;
const VIDEO: MediaFacts = { kind: 'video', format: 'mp4', width: 1280, height: 720, duration: 5, audio_codec: 'aac' };

/** The plan once `shot` is made, and the digest of its video. */
function madeShot(steps: string, facts: MediaFacts = VIDEO) {
  const owned = new Shelf();
  const first = planOf(steps, { owned });
  const shot = first.instances.get('shot' as InstanceKey)!;
  const result = { ...media('shot', facts), sha256: 'ab'.repeat(32) };
  owned.put(shot, result);
  return { owned, sha256: result.sha256 };
}

describe('a frame of a video', () => {
  it('is pending while its video is not there, and an image of its size all the same', () => {
    const { instances } = planOf(WALK);
    expect(isPending(instances.get('more' as InstanceKey)?.request?.input_image ?? null)).toBe(true);
    expect(instances.get('more' as InstanceKey)?.ratio).toBeCloseTo(16 / 9, 2);
  });

  it('is named by the content of its video once that is there, with nothing made', () => {
    const { owned, sha256 } = madeShot(WALK);
    const { instances } = planOf(WALK, { owned });
    const more = instances.get('more' as InstanceKey)!;
    expect(more.decision.is).toBe('run');
    expect(more.request?.input_image).toBe(`derived:last_frame/${sha256}`);
    expect(more.ratio).toBeCloseTo(16 / 9, 2);
  });

  it('has the same fingerprint where only the lock is there, and another where the video is another', () => {
    const { owned } = madeShot(WALK);
    const more = (shelf: Shelf) => planOf(WALK, { owned: shelf }).instances.get('more' as InstanceKey)?.fingerprint;
    const before = more(owned);
    owned.leaveAtService('shot' as InstanceKey);
    expect(more(owned)).toBe(before);
    const other = new Shelf();
    other.put(planOf(WALK, { owned: other }).instances.get('shot' as InstanceKey)!, {
      ...media('shot', VIDEO),
      sha256: 'cd'.repeat(32),
    });
    expect(more(other)).not.toBe(before);
  });

  it('another frame is another request', () => {
    const at = (frame: string) => {
      const film = WALK.replace('steps.shot.last_frame', frame);
      const { owned } = madeShot(film);
      return planOf(film, { owned }).instances.get('more' as InstanceKey)?.fingerprint;
    };
    expect(
      new Set([at('steps.shot.last_frame'), at('steps.shot.first_frame'), at("steps.shot.frame_at('1s')")]).size,
    ).toBe(3);
    expect(at("steps.shot.frame_at('1s')")).toBe(at('steps.shot.frame_at(1)'));
  });

  it('as an output is planned and told with its place', () => {
    const made = planOf(WALK);
    expect(planJson(made).outputs).toStrictEqual([
      { name: 'poster', instance: 'shot', path: 'out/poster.png', part: { is: 'frame_at', at: 2.5 } },
    ]);
  });

  it('flows through a choice: the one before, or the hero', () => {
    const film = `
steps:
  hero: { model: I-GEN-A, with: { prompt: a fox } }
  walk:
    matrix: { part: 1..3 }
    model: V-I2V-A
    with: { prompt: on, input_image: "\${{ has(previous.file) ? previous.last_frame : steps.hero.result_url }}" }
`;
    const owned = new Shelf();
    const outcomes = owned.make(planOf(film, { owned }));
    const requests = ['walk[part=1]', 'walk[part=2]', 'walk[part=3]'].map(key => {
      const resolved = outcomes.get(key as InstanceKey);
      return resolved?.is === 'request' ? String(resolved.request.input_image) : resolved?.is;
    });
    expect(requests[0]).toMatch(/^https:/);
    expect(requests[1]).toMatch(/^derived:last_frame\/.+/);
    expect(requests[2]).toMatch(/^derived:last_frame\/.+/);
    expect(requests[1]).not.toBe(requests[2]);
    expect(decidedAgain(film, owned)).toEqual(['hit', 'hit', 'hit', 'hit']);
  });

  it('of a step that is off is that of what stands in for it', () => {
    const film = `
steps:
  shot: { model: V-T2V-A, with: { prompt: a fox } }
  big: { if: false, else: "\${{ steps.shot }}", model: V-UP, with: { input_video: "\${{ steps.shot.result_url }}" } }
  more: { model: V-I2V-A, with: { prompt: on, input_image: "\${{ steps.big.last_frame }}" } }
`;
    const { owned, sha256 } = madeShot(film);
    const more = planOf(film, { owned }).instances.get('more' as InstanceKey);
    expect(more?.request?.input_image).toBe(`derived:last_frame/${sha256}`);
  });
});

const decidedAgain = (film: string, owned: Shelf) =>
  [...planOf(film, { owned }).instances].map(({ decision }) => decision.is);

describe('what cannot be had is told before the run', () => {
  const more = (shot: string, image: string) => `
steps:
  shot: { model: V-T2V-C, with: { prompt: a fox, ${shot} } }
  more: { model: V-I2V-A, with: { prompt: on, input_image: "\${{ ${image} }}" } }
`;
  const cut = (of: string, rest = '') => `
steps:
  shot: { model: V-T2V-C, with: { prompt: a fox, duration: 4, generate_audio: false } }
  cut: { run: [ ./cut.sh, "${of}" ], files: { ${rest} }, creates: { out: out.wav } }
`;

  it('a frame past the end', () => {
    expect(shown(more('duration: 4', "steps.shot.frame_at('6s')"))).toMatchInlineSnapshot(
      `"5:60 ‹"\${{ steps.shot.frame_at('6s') }}"› shot will be 4.0s long, and has no frame at 6s; ask for one before its end, or for its \`last_frame\`"`,
    );
    expect(shown(more('duration: 4', "steps.shot.frame_at('-4.5s')"))).toContain('has no frame at -4.5s');
    expect(shown(more('duration: 4', "steps.shot.frame_at('4s')"))).toMatch(/^film {2}/);
    // Its length is left to the model.
    expect(shown(more('duration: -1', "steps.shot.frame_at('60s')"))).toMatch(/^film {2}/);
  });

  it('a frame past the end of a video that is there', () => {
    const film = more('duration: -1', "steps.shot.frame_at('6s')");
    const { owned } = madeShot(film);
    expect(decisions(planOf(film, { owned }))[1]).toContain(
      "more: run, it will fail: `steps.shot.frame_at('6s')`: the video is 5.0s long and has no frame at 6s",
    );
  });

  it('the sound of a video that will be silent, wherever it is read', () => {
    expect(shown(cut('${{ steps.shot.sound }}'))).toMatchInlineSnapshot(
      `"5:27 ‹"\${{ steps.shot.sound }}"› shot will have no sound; ask for it there, or read another sound here"`,
    );
    expect(shown(cut('x', 'a: "${{ steps.shot.sound }}"'))).toContain('shot will have no sound');
    expect(shown(cut("${{ has(steps.shot.sound) ? steps.shot.sound : 'none' }}"))).toMatch(/^film {2}/);
  });

  it('the sound of a video that is silent', () => {
    const film = cut('${{ steps.shot.sound }}').replace(', generate_audio: false', '');
    const { owned } = madeShot(film, { ...VIDEO, audio_codec: null });
    expect(decisions(planOf(film, { owned }))[1]).toContain(
      'the video has no sound; ask first, `has(steps.shot.sound)',
    );
    const asked = cut("${{ has(steps.shot.sound) ? 'yes' : 'no' }}").replace(', generate_audio: false', '');
    const other = madeShot(asked, { ...VIDEO, audio_codec: null });
    const made = planOf(asked, { owned: other.owned });
    expect(made.instances.get('cut' as InstanceKey)?.request?.run).toEqual(['./cut.sh', 'no']);
  });

  it('a service on another machine cannot read it', () => {
    const { owned } = madeShot(WALK);
    const made = planOf(WALK, { owned });
    expect(localFilesInPlan(made).map(({ code }) => code)).toEqual(['file-out-of-reach']);
    expect(localFilesInPlan(planOf(WALK)).map(({ code }) => code)).toEqual(['file-out-of-reach']);
  });
});
