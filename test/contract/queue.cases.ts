/**
 * Rules for every implementation of the `Service` port: queue, events and catalog, written once.
 * An implementation that cannot do a case names it, with the reason.
 */
import { expect } from 'vitest';
import type { EnqueueRequest } from '../../src/api/queue.ts';
import { isTerminal } from '../../src/api/queue.ts';
import type { Service, StreamListener } from '../../src/api/service.ts';
import { now, type OpenCases, type QueueFixture } from './service-fixture.ts';

const STILL: EnqueueRequest = { model: 'I-GEN-A', prompt: 'a red fox' };

async function taken(service: Service, request: EnqueueRequest = STILL): Promise<string> {
  const answer = await service.enqueue(request, now());
  if (answer.is !== 'accepted') throw new Error(`not taken: ${JSON.stringify(answer)}`);
  return answer.id;
}

/** Somebody who listens: `heard(id)` resolves when the stream has told of it. */
function listener(service: Service) {
  const told: string[] = [];
  const lookers = new Set<() => void>();
  const ups: (() => void)[] = [];
  const ear: StreamListener = {
    completed: id => {
      told.push(id);
      for (const look of [...lookers]) look();
    },
    up: () => {
      for (const up of ups) up();
    },
    down: reason => {
      throw new Error(`the stream went down: ${reason}`);
    },
  };
  const up = new Promise<void>(resolve => ups.push(resolve));
  const leave = service.listen(ear);
  const heard = (id: string) =>
    new Promise<void>(resolve => {
      const look = () => {
        if (told.includes(id)) resolve();
      };
      lookers.add(look);
      look();
    });
  return { told, up, heard, leave };
}

export const CASES = {
  'a request that is taken gets an id, and its record is not finished': async ({ service }) => {
    const id = await taken(service);
    const answer = await service.generation(id, now());
    expect(answer).toMatchObject({ is: 'ok', value: { generation_id: id } });
    expect(answer.is === 'ok' && isTerminal(answer.value.status)).toBe(false);
  },

  'the same request twice is two generations': async ({ service }) => {
    expect(new Set([await taken(service), await taken(service)]).size).toBe(2);
  },

  'twenty requests at once are all taken, each once': async ({ service }) => {
    const ids = await Promise.all(Array.from({ length: 20 }, () => taken(service)));
    expect(new Set(ids).size).toBe(20);
  },

  'a finished generation says where its result is': async ({ service, finish }) => {
    const id = await taken(service);
    await finish(id);
    const answer = await service.generation(id, now());
    expect(answer).toMatchObject({ is: 'ok', value: { generation_id: id, status: 'succeeded' } });
    expect(answer.is === 'ok' && URL.canParse(answer.value.result_url ?? '')).toBe(true);
  },

  'a failed generation says why': async ({ service, fail }) => {
    const id = await taken(service);
    await fail(id, 'the prompt holds no shot');
    expect(await service.generation(id, now())).toMatchObject({
      is: 'ok',
      value: { generation_id: id, status: 'failed', error_message: 'the prompt holds no shot' },
    });
  },

  'a generation nobody knows is absent': async ({ service }) => {
    expect(await service.generation('nobody', now())).toMatchObject({ is: 'absent' });
  },

  'the stream tells everybody who listens of a success, once': async ({ service, finish }) => {
    const [one, two] = [listener(service), listener(service)];
    await one.up;
    const id = await taken(service);
    await finish(id);
    await Promise.all([one.heard(id), two.heard(id)]);
    // Completions of other generations may be told too.
    const ours = (told: readonly string[]) => told.filter(one => one === id);
    expect([ours(one.told), ours(two.told)]).toEqual([[id], [id]]);
  },

  'who has left hears nothing more': async ({ service, finish }) => {
    const [leaver, stayer] = [listener(service), listener(service)];
    await stayer.up;
    leaver.leave();
    const id = await taken(service);
    await finish(id);
    await stayer.heard(id);
    expect(leaver.told).toEqual([]);
  },

  'the history lists what was taken with the fields of its request': async ({ service, finish }) => {
    const first = await taken(service);
    const second = await taken(service, { ...STILL, prompt: 'a grey wolf', seed: 4 });
    await finish(first);
    const answer = await service.history(now());
    const all = answer.is === 'ok' ? answer.value : [];
    const rows = all.filter(({ generation_id }) => [first, second].includes(generation_id));
    expect(Object.fromEntries(rows.map(row => [row.generation_id, row]))).toMatchObject({
      [first]: { model_name: 'I-GEN-A', prompt: 'a red fox', status: 'succeeded' },
      [second]: { model_name: 'I-GEN-A', prompt: 'a grey wolf', seed: 4 },
    });
    expect(rows).toHaveLength(2);
  },

  'a history that is not offered is absent, which is not the same as empty': async ({ service }) => {
    await taken(service);
    expect(await service.history(now())).toMatchObject({ is: 'absent' });
  },

  'a cancelled generation ends as cancelled': async ({ service }) => {
    const id = await taken(service);
    expect(await service.cancel(id, now())).toEqual({ is: 'ok', value: null });
    expect(await service.generation(id, now())).toMatchObject({ is: 'ok', value: { status: 'cancelled' } });
  },

  'a cancel that is not offered is absent, and changes nothing': async ({ service, finish }) => {
    const id = await taken(service);
    expect(await service.cancel(id, now())).toMatchObject({ is: 'absent' });
    await finish(id);
    expect(await service.generation(id, now())).toMatchObject({ is: 'ok', value: { status: 'succeeded' } });
  },

  'what a model does not take is refused with a reason, and is no generation': async ({ service }) => {
    const answer = await service.enqueue({ model: 'I-GEN-A', num_inference_steps: 51 }, now());
    expect(answer).toMatchObject({ is: 'refused', status: 400 });
    expect(answer.is === 'refused' && answer.message).toMatch(
      /prompt.*num_inference_steps|num_inference_steps.*prompt/,
    );
    expect(await service.enqueue({ ...STILL, model: 'nobody' }, now())).toMatchObject({ is: 'refused' });
  },

  'every model of the catalog can be asked for by its id': async ({ service }) => {
    const answer = await service.models(now());
    const models = answer.is === 'ok' ? answer.value : [];
    expect(models.map(({ id }) => id)).toContain('V-T2V-A');
    for (const model of models) expect(await service.model(model.id, now())).toEqual({ is: 'ok', value: model });
  },

  'a model nobody has is absent': async ({ service }) => {
    expect(await service.model('nobody/nothing', now())).toMatchObject({ is: 'absent' });
  },

  'a key that is not its own is refused everywhere, and nothing is taken': async ({ service, stranger = service }) => {
    const id = await taken(service);
    expect(await stranger.enqueue(STILL, now())).toMatchObject({ is: 'refused', status: 401 });
    expect(await stranger.generation(id, now())).toMatchObject({ is: 'unauthenticated' });
    expect(await stranger.models(now())).toMatchObject({ is: 'unauthenticated' });
  },
} as const satisfies OpenCases<QueueFixture>;

export type CaseName = keyof typeof CASES;
/** Cases an implementation cannot do, and why not. */
export type Unable = Readonly<Partial<Record<CaseName, string>>>;
