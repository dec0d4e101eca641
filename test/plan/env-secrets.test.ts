import { expect, test } from 'vitest';
import { secretsOf } from '../../src/plan/env-secrets.ts';
import { planJson } from '../../src/plan/plan-text.ts';
import { resolve } from '../../src/plan/resolve.ts';
import { compiled, contextOf, planOf, Shelf, shown } from './support.ts';

const TOKEN = 'sk-live-51H8xQ2';
const env = {
  TOKEN,
  LOOK: 'noir',
  SECONDS: '6',
  CI: 'true',
  UNREAD: 'nobody reads this one',
  PHOTO: '/home/me/fox.png',
};
const HEAD = 'shotlist: 1\nname: film\nenv: [TOKEN, LOOK, SECONDS, CI, UNREAD, PHOTO]\n';
const FILM = `${HEAD}steps:
  shot:
    model: V-T2V-A
    with:
      prompt: "a fox, \${{ env.TOKEN }}, \${{ env.LOOK == 'noir' ? 'dark' : 'light' }}, \${{ env.TOKEN.substring(3) }}"
      negative_prompt: "\${{ env.TOKEN }}"
      duration: \${{ int(env.SECONDS) }}
  grade:
    run: [grade, --key, "\${{ env.TOKEN }}", "--look=\${{ env.LOOK }}", "\${{ steps.shot.file }}"]
    env:
      KEY: \${{ env.TOKEN }}
      HEADER: "Bearer \${{ env.TOKEN }}"
      PASSWORD: hunter22
      CLIP: \${{ steps.shot.result_url }}
    creates: { film: film.mp4 }
  alone:
    run: [grade, "\${{ env.TOKEN }}"]
    env: { KEY: "\${{ env.TOKEN }}", PASSWORD: hunter22 }
    creates: { film: film.mp4 }
`;

test('what variables hold is used, and shown nowhere in a plan', () => {
  expect(`\n${shown(FILM, { env })}\n`).toBe(`
film  3 instances on studio

run    shot  never run                                        $0.90  6 s × $0.15
       V-T2V-A · prompt a fox, $TOKEN, …, … · negative_prompt $TOKEN
       duration $SECONDS

maybe  grade  waits for shot                                   free
       command · run [grade, --key, $TOKEN, --look=$LOOK, ‹steps.shot.file›]
       env KEY=$TOKEN, HEADER=…, PASSWORD=…, CLIP=‹steps.shot.result_url›

run    alone  never run                                        free
       command · run [grade, $TOKEN] · env KEY=$TOKEN, PASSWORD=…

longest path  about 6m 05s: shot → grade
total         2 run, 1 maybe: up to $0.90
`);
});

test('nor in its JSON, before and after it was made; what is sent holds them all the same', () => {
  const owned = new Shelf();
  const fresh = planOf(FILM, { env });
  const outcomes = owned.make(fresh, { env });
  for (const plan of [fresh, planOf(FILM, { env, owned })]) {
    const json = JSON.stringify(planJson(plan));
    for (const secret of [TOKEN, 'live-51H8xQ2', 'hunter22']) expect(json).not.toContain(secret);
  }
  const sent = outcomes.get([...fresh.instances][0]!.key);
  expect(sent).toMatchObject({ request: { negative_prompt: TOKEN, duration: 6 } });
  const command = resolve(fresh, fresh.instances.of('alone' as never)[0]!, () => undefined, contextOf({ env }));
  expect(command).toMatchObject({ command: { argv: ['grade', TOKEN] }, env: { KEY: TOKEN, PASSWORD: 'hunter22' } });
});

test('another value is another request, although it is shown alike', () => {
  const at = (token: string) => [...planOf(FILM, { env: { ...env, TOKEN: token } }).instances][0];
  expect(at('another one')?.fingerprint).not.toBe(at(TOKEN)?.fingerprint);
});

test('a mistake names the variable, not what it holds', () => {
  const film = `${HEAD}steps:
  tall:
    model: V-RF
    with: { input_video: "\${{ env.PHOTO }}", prompt: snow, aspect_ratio: "9:16" }
`;
  expect(shown(film, { env }).split('\n')[0]).toBe(
    'film.yaml:7:26: error: input_video names "$PHOTO", which is not there; give a path from the pipeline file\'s folder, or an address with https://',
  );
});

test('sinks are told what to clean: what is read, long enough to be a secret, the longest first', () => {
  expect(secretsOf(compiled(FILM), env)).toStrictEqual([TOKEN, 'noir']);
});
