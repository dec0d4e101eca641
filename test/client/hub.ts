/** The client under test, as every story of this folder makes it. */
import { onTestFinished } from 'vitest';
import type { Service } from '../../src/api/service.ts';
import { connect } from '../../src/client/connect.ts';
import { FakeClock } from '../support/fake-clock.ts';

export const KEY = 'sk-very-secret-key';
export const never = new AbortController().signal;

export function service(baseUrl: string, clock = new FakeClock()): Service {
  const made = connect({ name: 'hub', baseUrl, key: KEY, clock });
  onTestFinished(() => made.close());
  return made;
}
