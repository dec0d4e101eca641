/** What a plan will do outside of this machine is listed apart. */
import { expect, test } from 'vitest';
import { plan } from '../../src/plan/plan.ts';
import { planJson } from '../../src/show/plan/plan-text.ts';
import { compiled, contextOf, linesWith, planOf, shown } from './support.ts';

const POSTED = `
steps:
  shot: { model: V-T2V-A, with: { prompt: a fox, duration: 5 } }
  check: { run: [./check.sh, "\${{ steps.shot.file }}"] }
  post: { needs: [check], run: [./upload.sh, "\${{ steps.shot.file }}", --to, the client], effect: true }
  tell:
    matrix: { to: [editor, client] }
    run: |
      curl -d "$to" https://house.test/hook
      echo told
    env: { to: "\${{ matrix.to }}" }
    effect: true
`;

test('a command that acts outside says so where it stands, and once more at the end', () => {
  const text = shown(POSTED, { width: 100 });
  expect(linesWith(text, 'command, acts outside', 'once for its inputs')).toMatchInlineSnapshot(`
    "       command, acts outside · run [./upload.sh, ‹steps.shot.file›, --to, the client]
    run    tell × 2  acts outside, once for its inputs                                 free
           command, acts outside · run curl -d "$to" https://house.test/hook echo told · env to=…"
  `);
  expect(text.slice(text.indexOf('acts outside  '))).toMatchInlineSnapshot(`
    "acts outside  post: ./upload.sh ‹steps.shot.file› --to the client
                  tell[to=editor]: curl -d "$to" https://house.test/hook …
                  tell[to=client]: curl -d "$to" https://house.test/hook …"
  `);
});

test('as JSON it is a list of its own, and a mark at each instance', () => {
  const json = planJson(planOf(POSTED));
  expect(json.effects).toEqual([
    { key: 'post', run: ['./upload.sh', { $pending: 'steps.shot.file' }, '--to', 'the client'] },
    { key: 'tell[to=editor]', run: 'curl -d "$to" https://house.test/hook\necho told\n' },
    { key: 'tell[to=client]', run: 'curl -d "$to" https://house.test/hook\necho told\n' },
  ]);
  const marked = (json.instances as readonly { readonly key: string; readonly effect?: boolean }[]).filter(
    ({ effect }) => effect,
  );
  expect(marked.map(({ key }) => key)).toEqual(['post', 'tell[to=editor]', 'tell[to=client]']);
});

test('of many only the first are listed, unless all are asked for', () => {
  const many = POSTED.replace('[editor, client]', `[${Array.from({ length: 30 }, (_, n) => `to${n}`).join(', ')}]`);
  expect(shown(many)).toContain('and 21 more');
  expect(shown(many, { all: true })).not.toContain('more');
});

test('a step that is open is listed without its instances', () => {
  const open = `
steps:
  list: { run: [./list.sh] }
  tell:
    matrix: { to: "\${{ steps.list.json.names }}" }
    max: 3
    run: [./tell.sh, "\${{ matrix.to }}"]
    effect: true
`;
  expect(shown(open)).toContain('acts outside  tell');
  expect(planJson(planOf(open)).effects).toEqual([{ key: 'tell', run: null }]);
});

test('in a draft nothing acts outside, and what needs it is skipped with it', () => {
  const text = `${POSTED}  proof: { run: [echo, "\${{ steps.post.stdout }}"] }\n`;
  const { plan: draft } = plan(compiled(text), { ...contextOf({ service: 'studio-draft' }), isDraft: true });
  expect([...(draft?.instances ?? [])].map(({ key, decision }) => `${key} ${decision.is} ${decision.why}`)).toEqual([
    'shot run never run',
    'check maybe waits for shot',
    'post skip it acts outside, and this is a draft',
    'tell[to=editor] skip it acts outside, and this is a draft',
    'tell[to=client] skip it acts outside, and this is a draft',
    'proof skip post is skipped',
  ]);
  expect(draft && planJson(draft).effects).toEqual([]);
});

test('what an earlier run left open is told, and is not promised to run', () => {
  const owned = {
    ...contextOf().owned,
    find: () => undefined,
    atService: () => undefined,
    last: () => undefined,
    mayBeDone: () => true,
  };
  expect(shown('steps:\n  post: { run: [./upload.sh], effect: true }\n', { owned })).toContain(
    'an earlier run began it, and its outcome is unknown',
  );
});
