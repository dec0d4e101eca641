import { describe, expect, test } from 'vitest';
import { namedSecrets } from '../../src/plan/values/redaction.ts';
import { resolve } from '../../src/plan/values/resolve.ts';
import { planJson } from '../../src/show/plan/plan-text.ts';
import { compiled, contextOf, linesWith, planOf, Shelf, shown, type World } from './support.ts';

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
  const text = shown(FILM, { env });
  for (const secret of [TOKEN, 'live-51H8xQ2', 'hunter22']) expect(text).not.toContain(secret);
  expect(linesWith(text, '$', 'env ')).toMatchInlineSnapshot(`
    "run    shot  never run                                        $0.90  6 s × $0.15
           V-T2V-A · prompt a fox, $TOKEN, …, … · negative_prompt $TOKEN
           duration $SECONDS
           command · run [grade, --key, $TOKEN, --look=$LOOK, ‹steps.shot.file›]
           env KEY=$TOKEN, HEADER=…, PASSWORD=…, CLIP=‹steps.shot.result_url›
           command · run [grade, $TOKEN] · env KEY=$TOKEN, PASSWORD=…
    total         2 run, 1 maybe: free (up to $0.90 at list price)"
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

const fingerprints = (film: string, world: World) => [...planOf(film, world).instances].map(one => one.fingerprint);

describe('what a fingerprint counts of a secret', () => {
  const film = (request: string, command = "['true']") => `shotlist: 1
name: film
env: [TOKEN, LOOK, SECONDS, PHOTO]
params: { key: { type: string, secret: true } }
steps:
  shot: { model: V-T2V-A, with: { prompt: fox, ${request} } }
  grade: { run: ${command} }
`;
  const KEY = 'hunter22-and-more';
  const withToken = (TOKEN: string, key = KEY) => ({ env: { ...env, TOKEN }, params: { key } });

  test.each([
    ['alone', 'negative_prompt: "${{ env.TOKEN }}"', "[grade, '${{ params.key }}']"],
    ['in a text', 'audio_url: "https://a.b/c.mp3?sig=${{ env.TOKEN }}"', "[grade, 'Bearer ${{ params.key }}']"],
    [
      'joined to one',
      'negative_prompt: "${{ \'Bearer \' + env.TOKEN }}"',
      '[grade, "${{ \'Bearer \' + params.key }}"]',
    ],
    ['in a variable', '', "[grade]\n    env: { TOKEN: '${{ env.TOKEN }}', KEY: 'x ${{ params.key }}' }"],
  ])('handed on %s, its name: a new value makes nothing again', (_, request, command) => {
    const text = film(request, command).replace(/{ run: (.*)\n(.*) }/, '\n    run: $1\n$2');
    expect(fingerprints(text, withToken('another-one', 'another-key'))).toEqual(fingerprints(text, withToken(TOKEN)));
  });

  test('a text that says the name is not the secret', () => {
    const [secret, words] = ['${{ env.TOKEN }}', '$TOKEN'].map(text => film(`negative_prompt: "${text}"`));
    expect(fingerprints(words!, withToken(TOKEN))).not.toEqual(fingerprints(secret!, withToken(TOKEN)));
  });

  test.each([
    ['a choice', "negative_prompt: \"${{ env.LOOK == 'noir' ? 'dark' : 'light' }}\"", { LOOK: 'day' }],
    ['a number', 'duration: "${{ int(env.SECONDS) }}"', { SECONDS: '5' }],
    ['a part', 'negative_prompt: "${{ env.TOKEN.substring(3) }}"', { TOKEN: 'sk-other' }],
  ])('what is computed from it, %s, makes another film', (_, request, other) => {
    const at = (more: object) => fingerprints(film(request), { env: { ...env, ...more }, params: { key: KEY } });
    expect(at(other)).not.toEqual(at({}));
    expect(at({})).toEqual(at({}));
  });

  test('a computed value cannot be tried against a fingerprint without the secret: it is no plain digest of the request', () => {
    const [computed] = fingerprints(film('duration: "${{ int(env.SECONDS) }}"'), { env, params: { key: KEY } });
    for (let seconds = 2; seconds <= 15; seconds++) {
      const [plain] = fingerprints(film(`duration: ${seconds}`), { env, params: { key: KEY } });
      expect(computed).not.toBe(plain);
    }
  });

  test('media that a variable leads to counts by its content', () => {
    const text = film('', "['true']").replace(
      / {2}shot:.*/,
      "  shot: { run: [cat], files: { clip: '${{ env.PHOTO }}' } }",
    );
    const at = (sha256: string, PHOTO = 'in/fox.png') =>
      fingerprints(text, {
        env: { ...env, PHOTO },
        params: { key: KEY },
        files: { [PHOTO]: { sha256, url: `file:///home/me/${PHOTO}` } },
      });
    expect(at('bb')).not.toEqual(at('aa'));
    expect(at('aa', 'elsewhere/fox.png')).toEqual(at('aa'));
  });
});

describe('a secret param', () => {
  const film = `shotlist: 1
name: film
params: { token: { type: string, secret: true }, idea: { type: string, default: a fox } }
steps:
  post: { run: [post, "\${{ params.token }}", "--as=\${{ params['token'] }}"], env: { TOKEN: "\${{ params.token }}" } }
`;
  const token = 'tok_59cf1a2b77';

  test('is used, and shown nowhere in a plan', () => {
    const made = planOf(film, { params: { token } });
    expect(shown(film, { params: { token } })).toContain(
      'command · run [post, $token, --as=$token] · env TOKEN=$token',
    );
    const json = planJson(made);
    expect(json.params).toEqual({ token: '$token', idea: 'a fox' });
    expect(JSON.stringify(json)).not.toContain(token);
    const [post] = [...made.instances];
    const work = resolve(made, post!, () => undefined, contextOf({ params: { token } }));
    expect(work).toMatchObject({ command: { argv: ['post', token, `--as=${token}`] }, env: { TOKEN: token } });
  });

  test.each([
    [
      { token: 'short77' },
      'param `token` is a secret, and could not be kept out of other texts: give one of at least 8 characters, and no plain number',
    ],
    [{ token: 59001177 }, 'param `token` must be text, not "…"'],
    [{ token, tokn: 'tok_mistyped_one' }, 'this file has no param `tokn`; did you mean `token`?'],
    [{ idea: 'a fox' }, 'param `token` has no default; give it with --param token=…'],
  ])('is not shown when it is wrong, or mistyped: %j', (params, message) => {
    const told = shown(film, { params });
    expect(told).toContain(message);
    for (const value of ['short77', '59001177', 'tok_mistyped_one', token]) expect(told).not.toContain(value);
  });
});

test('a mistake names the variable, not what it holds', () => {
  const film = `${HEAD}steps:
  tall:
    model: V-RF
    with: { input_video: "\${{ env.PHOTO }}", prompt: snow, aspect_ratio: "9:16" }
`;
  expect(shown(film, { env }).split('\n')[0]).toBe(
    '7:26 ‹"${{ env.PHOTO }}"› input_video names "$PHOTO", which is not there; give a path from the pipeline file\'s folder, or an address with https://',
  );
});

test('what is taken out of texts: what the file declares, long enough to be found, the longest first', () => {
  const film = compiled(FILM.replace('steps:', 'params: { token: { type: string, secret: true } }\nsteps:'));
  expect(namedSecrets(film, { env, params: { token: 'hunter22-and-more' } })).toStrictEqual(
    [
      ['nobody reads this one', '$UNREAD'],
      ['hunter22-and-more', '$token'],
      [TOKEN, '$TOKEN'],
      ['/home/me/fox.png', '$PHOTO'],
      ['noir', '$LOOK'],
    ].sort(([a = ''], [b = '']) => b.length - a.length),
  );
});
