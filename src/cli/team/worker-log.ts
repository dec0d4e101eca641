/** What a worker says, as lines and as JSON. */

import { cleanText } from '../../domain/clean.ts';
import { formatUsd } from '../../domain/format.ts';
import { isFree } from '../../domain/run-money.ts';

import type { Led } from '../../session/team/lead-run.ts';
import type { WorkerTold } from '../../session/team/worker.ts';

export function workerText(told: WorkerTold): readonly string[] {
  switch (told.is) {
    case 'ready':
      return [`ready: ${[leadsText(told.leads), handsText(told.hands)].filter(text => text !== '').join(', ')}`];
    case 'led':
      return ledText(told.run, told.led);
    case 'began':
      return [`${told.run}: led here`];
    case 'took_up':
      return [`nobody had the turn of ${told.runs.join(', ')}: put into the queue again`];
    case 'ended_deployment': {
      const { run, ended } = told;
      const model = cleanText(told.model);
      const up = `is up and bills, and could not be deactivated: ${ended.is === 'billing' ? cleanText(ended.reason) : ''}`;
      const end = ended.is === 'down' ? (ended.how === 'not_up' ? 'is not up' : 'is deactivated') : up;
      return [`${run}: no worker has led its film for ten minutes: ${model} ${end}`];
    }
    case 'trouble':
      return [`trouble: ${told.message}`];
    case 'well_again':
      return ['the database is there again'];
    case 'leaving':
      return [
        told.leads === 0
          ? 'leaving'
          : `leaving: ${told.leads} ${told.leads === 1 ? 'run goes' : 'runs go'} on elsewhere`,
      ];
    case 'gone':
      return ['gone'];
  }
}

const leadsText = (leads: number): string =>
  leads === 0 ? '' : `leads up to ${leads} ${leads === 1 ? 'run' : 'runs'}`;
const handsText = (hands: number): string =>
  hands === 0 ? '' : `does up to ${hands} ${hands === 1 ? 'command or cut' : 'commands and cuts'} of others`;

function ledText(id: string, led: Led): readonly string[] {
  switch (led.is) {
    case 'nothing to do':
      return [];
    case 'left to others':
      return [`${id}: left to others: ${cleanText(led.why)}`];
    case 'superseded':
      return [`${id}: another worker leads it now`];
    case 'ended': {
      const { usd, reason } = led.outcome;
      const cost = typeof usd === 'number' && usd > 0 && !isFree(led.run) ? `, ${formatUsd(usd)}` : '';
      const why = typeof reason === 'string' ? `: ${reason}` : '';
      return [`${id}: ${led.status === 'queued' ? 'goes on later, or elsewhere' : led.status}${cost}${why}`];
    }
  }
}

/** One line. `at`: Unix milliseconds. */
export function workerJson(told: WorkerTold, at: number): string {
  const time = new Date(at).toISOString();
  if (told.is !== 'led') return JSON.stringify({ at: time, ...told });
  const { run, led } = told;
  if (led.is !== 'ended')
    return JSON.stringify({ at: time, is: led.is.replaceAll(' ', '_'), run, ...('why' in led && { why: led.why }) });
  return JSON.stringify({ at: time, is: 'ended', run, status: led.status, outcome: led.outcome });
}
