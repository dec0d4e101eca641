/** A custom model that nobody has activated is a mistake in the plan, where the service tells: it would be a 409 for each request in the run. */

import { expect, test } from 'vitest';
import type { CatalogModel, DeploymentStatus } from '../../src/api/catalog.ts';
import type { Service } from '../../src/api/service.ts';
import { deploymentMistakes } from '../../src/app/film/check-plan.ts';
import { studioLibrary } from '../../src/app/service/model-from-catalog.ts';
import { compile } from '../../src/language/compile.ts';
import { formatDiagnostics } from '../../src/language/yaml/excerpt.ts';
import { UNKNOWN_DEMAND } from '../../src/model/budget.ts';
import type { Instance } from '../../src/model/plan.ts';
import { Instances } from '../../src/model/plan.ts';
import { Refusal } from '../../src/model/run/decision-page.ts';
import type { StepName } from '../../src/model/run/key.ts';
import { type PlanContext, plan } from '../../src/plan/plan.ts';
import { linesOf } from '../language/said.ts';
import { contextOf, Shelf } from '../plan/support.ts';
import { entry } from './catalog-entry.ts';

const FILM = `shotlist: 1
name: film
models:
  look: fox-look
steps:
  shot: { model: look, with: { prompt: a fox } }
  still: { model: I-GEN-A, with: { prompt: a river } }
`;

function planned(text: string, more: Partial<PlanContext> = {}) {
  const { pipeline, diagnostics } = compile({ path: 'film.yaml', text }, studioLibrary);
  if (!pipeline) throw new Error(formatDiagnostics(diagnostics));
  const made = plan(pipeline, { ...contextOf(), library: studioLibrary, ...more }).plan;
  if (!made) throw new Error('it cannot be planned');
  return made;
}

const asCustom = (id: string, ...statuses: readonly DeploymentStatus[]): CatalogModel => ({
  ...entry,
  id,
  model_type: 'custom',
  request_schema: null,
  deployments: statuses.map(status => ({ status })),
});

/** A service that says this of the model's deployment, and keeps what it was asked. */
function saying(answer: Awaited<ReturnType<Service['model']>> | Error) {
  const asked: string[] = [];
  const model: Service['model'] = async (id, _signal, how) => {
    asked.push(`${id}${how?.live ? ' live' : ''}`);
    if (answer instanceof Error) throw answer;
    return answer;
  };
  return { asked, service: { model } };
}
const live = (...statuses: readonly DeploymentStatus[]) =>
  saying({ is: 'ok', value: asCustom('fox-look', ...statuses) });

const said = async (text: string, { service }: ReturnType<typeof saying>, catalog?: readonly CatalogModel[]) =>
  linesOf(await deploymentMistakes(planned(text), service, catalog));

test('an inactive one is told at its place, with the line to add', async () => {
  const studio = live('inactive');
  expect(await said(FILM, studio)).toMatchInlineSnapshot(
    `"6:18 ‹look› fox-look cannot be used, for its deployment is inactive; write \`models: { look: { id: fox-look, activate: true } }\`: the run brings it up and ends it, and it bills in between"`,
  );
  expect(studio.asked).toEqual(['fox-look live']);
});

test('one that is named by its id is given a name', async () => {
  const byId = FILM.replace('model: look', 'model: "fox-look"');
  expect(await said(byId, live('error'))).toContain(
    'fox-look cannot be used, for its deployment is in an error; write `models: { look: { id: fox-look, activate: true } }` and here `model: look`:',
  );
});

test.each<[string, DeploymentStatus[]]>([
  ['is active', ['active']],
  ['is on its way up', ['deploying']],
  ['is unknown to the service', ['unknown']],
  ['is not told', []],
])('nothing is refused where it %s', async (_, statuses) => {
  expect(await said(FILM, live(...statuses), [asCustom('fox-look', ...statuses)])).toBe('');
});

test.each([
  { is: 'absent', message: 'not offered' },
  { is: 'unavailable', message: 'house does not answer' },
  { is: 'unauthenticated', message: 'no' },
] as const)('a service that answers $is is believed by its list, where that says something', async answer => {
  const quiet = saying(answer);
  expect(await said(FILM, quiet)).toBe('');
  expect(await said(FILM, quiet, [asCustom('fox-look')])).toBe('');
  expect(await said(FILM, quiet, [asCustom('fox-look', 'inactive')])).toContain('is inactive');
});

test('a list that is behind is not believed', async () => {
  expect(await said(FILM, live('active'), [asCustom('fox-look', 'inactive')])).toBe('');
  expect(await said(FILM, live('inactive'), [asCustom('fox-look', 'active')])).toContain('is inactive');
});

test('a studio that another process holds is not asked twice; a bug stays a bug', async () => {
  expect(await said(FILM, saying(new Refusal('another studio is already serving')))).toBe('');
  await expect(said(FILM, saying(new Error('a belief broke')))).rejects.toThrow('a belief broke');
});

test('nobody asks about a base model, one that the run activates, one whose results are owned, or one that is switched off', async () => {
  const studio = live('inactive');
  const catalog = [{ ...asCustom('fox-look', 'inactive'), model_type: 'base' as const }];
  expect(await said(FILM, studio, catalog)).toBe('');
  expect(await said(FILM.replace('look: fox-look', 'look: { id: fox-look, activate: true }'), studio)).toBe('');
  expect(await said(FILM.replace('model: look,', 'model: look, if: "${{ false }}",'), studio)).toBe('');
  const owned = new Shelf();
  owned.make(planned(FILM), {});
  expect(await deploymentMistakes(planned(FILM, { owned }), studio.service, undefined)).toEqual([]);
  expect(studio.asked).toEqual([]);
});

test('a step whose instances are not known yet asks too', async () => {
  const made = planned(FILM);
  const shot = 'shot' as StepName;
  const open = {
    ...made,
    instances: new Instances<Instance>([[shot, null]]),
    open: [{ step: shot, lists: [], follows: [], why: '', usd: null, priceBasis: '', demand: UNKNOWN_DEMAND }],
  };
  const mistakes = await deploymentMistakes(open, live('deactivating').service, undefined);
  expect(mistakes.map(({ code, message }) => [code, message.slice(0, 59)])).toEqual([
    ['model-not-active', 'fox-look cannot be used, for its deployment is deactivating'],
  ]);
});
