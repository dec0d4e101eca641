/** The client under test, as every story of this folder makes it. */
import { onTestFinished } from 'vitest';
import type { Service } from '../../src/api/service.ts';
import { connect } from '../../src/client/connect.ts';
import { FakeClock } from '../support/fake-clock.ts';

export const KEY = 'sk-very-secret-key';
export const never = new AbortController().signal;

/** @param random 1 leaves waits as they are. */
export function service(baseUrl: string, clock = new FakeClock(), { key = KEY, random = () => 1 } = {}): Service {
  const made = connect({ name: 'hub', baseUrl, key, clock, random });
  onTestFinished(() => made.close());
  return made;
}

export function hub({ url }: { readonly url: string }) {
  const clock = new FakeClock();
  return { clock, service: service(url, clock) };
}
