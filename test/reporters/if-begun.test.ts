import { expect, test } from 'vitest';
import type { RecordedEvent } from '../../src/model/run/event.ts';
import { ifBegun } from '../../src/show/reporters/if-begun.ts';

function reporter() {
  const told: string[] = [];
  return {
    told,
    report: ({ type }: RecordedEvent) => void told.push(type),
    close: async () => void told.push('closed'),
  };
}

test('where nothing has begun, nothing is drawn and nothing is said', async () => {
  const asked = reporter();
  await ifBegun(asked).close();
  expect(asked.told).toEqual([]);
});

test('a run that has begun is told to its end', async () => {
  const asked = reporter();
  const told = ifBegun(asked);
  told.report({ type: 'run_started' } as RecordedEvent);
  await told.close();
  expect(asked.told).toEqual(['run_started', 'closed']);
});
