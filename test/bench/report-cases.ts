/** How large the page of a report is, beside which its media lie. */
import { reportHtml } from '../../src/show/pages/report/report-html.ts';
import { largeRun, northLight } from '../pages/large-run.ts';
import type { Case, Measured } from './measure.ts';

export const reportCases: readonly Case[] = [{ name: 'report: size of its page', isFigure: true, measure: sizes }];

const LARGEST = 1_000;

async function sizes(): Promise<readonly Measured[]> {
  const whole = northLight();
  const runs = [
    { ...whole, instances: whole.instances.filter(({ step }) => step === 'shot').slice(0, 1) },
    largeRun(60),
    largeRun(LARGEST),
  ];
  return Promise.all(
    runs.map(async (run): Promise<Measured> => {
      const page = await reportHtml(run, {}, { isSingle: false });
      const count = run.instances.length;
      return {
        name: `report of ${count.toLocaleString('en')} instance${count === 1 ? '' : 's'}, its page`,
        ...{ ours: [Buffer.byteLength(page) / 1_000], unit: 'kB' },
        ...(count === LARGEST && { aim: 600 }),
      };
    }),
  );
}
