/** Rules for every service's fine-tunes: tokenize one that is `created`, and say why not otherwise. */
import { expect } from 'vitest';
import { now, type OpenCases } from './service-fixture.ts';

const at = (id: string) => ({ namespace: 'film-house', repo: 'looks', id });

export const TUNING_CASES: OpenCases = {
  'a fine-tune that is created is tokenized, once': async ({ service }) => {
    expect(await service.tokenize(at('ft-night-train'), now())).toMatchObject({
      is: 'ok',
      value: { id: 'ft-night-train' },
    });
    expect(await service.tokenize(at('ft-night-train'), now())).toEqual({
      is: 'refused',
      status: 409,
      message: 'fine-tune ft-night-train is tokenizing: only one that is created can be tokenized',
    });
  },

  'one in any other state is refused with its state': async ({ service }) => {
    const states = { 'ft-lighthouse': 'tokenized', 'ft-snow': 'running', 'ft-fox': 'succeeded', 'ft-fog': 'failed' };
    for (const [id, state] of Object.entries(states)) {
      expect(await service.tokenize(at(id), now())).toEqual({
        is: 'refused',
        status: 409,
        message: `fine-tune ${id} is ${state}: only one that is created can be tokenized`,
      });
    }
  },

  'one that nobody has is absent, whichever part of its name is wrong': async ({ service }) => {
    const wrong = [{ id: 'ft/nobody?' }, { repo: 'a b' }, { namespace: 'somebody' }];
    for (const part of wrong) {
      const place = { ...at('ft-harbour'), ...part };
      expect(await service.tokenize(place, now())).toEqual({
        is: 'absent',
        message: `Fine-tune not found: ${place.namespace}/${place.repo}/${place.id}`,
      });
    }
  },

  'a key that is not its own changes nothing': async ({ service, stranger }) => {
    expect(await stranger.tokenize(at('ft-harbour'), now())).toEqual({
      is: 'unauthenticated',
      message: 'unauthenticated',
    });
    expect(await service.tokenize(at('ft-harbour'), now())).toMatchObject({ is: 'ok' });
  },
};
