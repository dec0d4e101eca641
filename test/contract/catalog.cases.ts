/** Rules for every service's catalog: list, search, retrieve, activate, deactivate. */
import { expect } from 'vitest';
import type { CatalogModel, DeploymentStatus } from '../../src/api/catalog.ts';
import type { Answer, Changed, Service } from '../../src/api/service.ts';
import { now, type OpenCases } from './service-fixture.ts';

/** Longer than any deployment takes. */
const A_WHILE = 60_000;

function value<T>(answer: Answer<T> | Changed<T>): T {
  if (answer.is !== 'ok') throw new Error(`no value: ${JSON.stringify(answer)}`);
  return answer.value;
}

const ids = (models: readonly CatalogModel[]): readonly string[] => models.map(({ id }) => id);
const status = ({ deployments }: CatalogModel): DeploymentStatus | undefined => deployments[0]?.status;
const look = async (service: Service, id: string) => status(value(await service.model(id, now())));
const lookLive = async (service: Service, id: string) => status(value(await service.model(id, now(), { live: true })));

export const CATALOG_CASES: OpenCases = {
  'base models have no deployments; custom ones tell theirs, their owner and their source': async ({ service }) => {
    const base = value(await service.model('V-T2V-A', now()));
    expect(base).toMatchObject({ model_type: 'base', deployments: [], source_model: null, owned_by: 'studio' });
    const custom = value(await service.model('fox-look', now()));
    expect(custom).toMatchObject({
      model_type: 'custom',
      deployments: [{ status: 'inactive' }],
      source_model: 'V-T2V-A',
      owned_by: 'film-house',
      endpoint: base.endpoint,
      request_schema: base.request_schema,
    });
  },

  'the list is filtered by developer and by fine-tuning action': async ({ service }) => {
    const all = value(await service.models(now()));
    expect(ids(value(await service.models(now(), { developer_name: 'Shotlist' })))).toEqual(ids(all));
    expect(value(await service.models(now(), { developer_name: 'nobody' }))).toEqual([]);
    const tuneable = value(await service.models(now(), { action: 'text_to_video' }));
    expect(ids(tuneable)).toEqual(['V-T2V-A']);
    expect(tuneable[0]?.fine_tuning).toEqual({ actions: ['text_to_video'], cost_per_second: 0.002 });
  },

  'a search matches letters of a name, in any case, and nothing else': async ({ service }) => {
    expect(ids(value(await service.searchModels('i-edit', now())))).toEqual(['I-EDIT-A', 'I-EDIT-B', 'I-EDIT-C']);
    expect(ids(value(await service.searchModels('LOOK', now())))).toEqual(['fox-look', 'river-look', 'storm-look']);
    expect(value(await service.searchModels('a b&c=d%', now()))).toEqual([]);
  },

  'a deployment is brought up and taken down, and says where it stands': async ({ service, later }) => {
    expect(status(value(await service.activate('fox-look', now())))).toBe('deploying');
    expect(await lookLive(service, 'fox-look')).toBe('deploying');
    await later(A_WHILE);
    expect(await lookLive(service, 'fox-look')).toBe('active');
    expect(status(value(await service.deactivate('fox-look', now())))).toBe('deactivating');
    await later(A_WHILE);
    expect(await lookLive(service, 'fox-look')).toBe('inactive');
  },

  'without `live` the catalog tells what it last heard': async ({ service, later }) => {
    await service.activate('fox-look', now());
    await later(10_000);
    expect(await look(service, 'fox-look')).toBe('deploying');
    expect(await lookLive(service, 'fox-look')).toBe('active');
    expect(await look(service, 'fox-look')).toBe('active');
  },

  'a deployment may end in an error, and be tried again': async ({ service, later }) => {
    await service.activate('storm-look', now());
    await later(A_WHILE);
    expect(await lookLive(service, 'storm-look')).toBe('error');
    expect(status(value(await service.activate('storm-look', now())))).toBe('deploying');
  },

  'only what is inactive is activated, only what is active deactivated': async ({ service }) => {
    const refused = (message: string) => ({ is: 'refused', status: 409, message });
    expect(await service.activate('river-look', now())).toEqual(
      refused('the deployment of river-look is active: it cannot be activated now'),
    );
    expect(await service.deactivate('fox-look', now())).toEqual(
      refused('the deployment of fox-look is inactive: it cannot be deactivated now'),
    );
    await service.activate('fox-look', now());
    expect(await service.activate('fox-look', now())).toEqual(
      refused('the deployment of fox-look is deploying: it cannot be activated now'),
    );
  },

  'a base model is always active: there is nothing to do': async ({ service }) => {
    for (const verb of ['activate', 'deactivate'] as const) {
      expect(await service[verb]('V-RF', now())).toEqual({
        is: 'refused',
        status: 400,
        message: `V-RF is a base model, which is always active: there is nothing to ${verb}`,
      });
    }
  },

  'a model that nobody has is not found, in the document’s words': async ({ service }) => {
    const message = 'Model not found: vendor/name';
    expect(await service.model('vendor/name', now())).toEqual({ is: 'absent', message: `${message} (404)` });
    expect(await service.activate('vendor/name', now())).toEqual({ is: 'absent', message });
    expect(await service.deactivate('vendor/name', now())).toEqual({ is: 'absent', message });
  },

  'an inactive model takes no requests; an active one does': async ({ service, later }) => {
    const request = { model: 'fox-look', prompt: 'a red fox' };
    expect(await service.enqueue(request, now())).toEqual({
      is: 'refused',
      status: 409,
      message: 'model fox-look cannot be used: its deployment is inactive; activate it and wait until it is active',
    });
    await service.activate('fox-look', now());
    await later(A_WHILE);
    expect(await service.enqueue(request, now())).toMatchObject({ is: 'accepted' });
  },

  'a key that is not its own is refused everywhere': async ({ stranger, service }) => {
    const unauthenticated = { is: 'unauthenticated' };
    expect(await stranger.models(now())).toMatchObject(unauthenticated);
    expect(await stranger.searchModels('fox', now())).toMatchObject(unauthenticated);
    expect(await stranger.model('fox-look', now())).toMatchObject(unauthenticated);
    expect(await stranger.activate('fox-look', now())).toMatchObject(unauthenticated);
    expect(await stranger.deactivate('river-look', now())).toMatchObject(unauthenticated);
    expect(await lookLive(service, 'fox-look')).toBe('inactive');
    expect(await lookLive(service, 'river-look')).toBe('active');
  },
};
