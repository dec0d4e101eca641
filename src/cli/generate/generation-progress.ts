/** Tells of one generation, a line for each change, and keeps what its outcome is told from. */
import { cleanText } from '../../domain/clean.ts';
import type { Event, RecordedEvent, Reporter } from '../../domain/event.ts';
import type { Failure } from '../../domain/failure.ts';
import { formatSeconds } from '../../domain/format.ts';

export interface GenerationProgress extends Reporter {
  /** The id it has at the service. */
  readonly id: string | undefined;
  /** The result's address at the service. */
  readonly url: string | undefined;
  readonly failure: Failure | undefined;
  readonly cancelFailed: Extract<Event, { readonly type: 'cancel_failed' }> | undefined;
  /** Unix milliseconds when it was sent, or taken up; undefined until then. */
  readonly sentAt: number | undefined;
}

/** @param say is given one line at a time. */
export function generationProgress(service: string, say: (line: string) => void): GenerationProgress {
  let last = '';
  const once = (line: string) => {
    if (line !== last) say(line);
    last = line;
  };
  const known: { -readonly [field in keyof GenerationProgress]?: GenerationProgress[field] } = {};
  const report = (event: RecordedEvent) => {
    switch (event.type) {
      case 'submit_intended':
        known.sentAt = event.at;
        if (event.via) once(`sent to ${service}, which answers when it is done`);
        break;
      case 'submit_accepted':
        known.id = event.generation_id;
        once(
          event.found
            ? `found at ${service} as ${event.generation_id}, not sent twice`
            : `sent to ${service} as ${event.generation_id}`,
        );
        break;
      case 'submit_refused':
        if (event.retry_at !== null)
          once(`${event.reason}; sending it again in ${formatSeconds((event.retry_at - event.at) / 1000)}`);
        break;
      case 'submit_unknown':
        known.sentAt ??= event.at;
        once(`${cleanText(event.reason)}; looking for it before anything is sent`);
        break;
      case 'looking':
        if (event.until !== undefined)
          once(`looking again in ${formatSeconds(Math.max(0, event.until - event.at) / 1000)}`);
        break;
      case 'submit_absent':
        once(`not there: ${cleanText(event.reason)}; sending it again`);
        break;
      case 'taken_up':
        known.sentAt = event.at;
        known.id = event.generation_id ?? undefined;
        once(`taken up again${known.id === undefined ? '' : ` as ${known.id}`}, not sent twice`);
        break;
      case 'progress':
        once(standing(event));
        break;
      case 'generated':
        known.url = event.result_url;
        once(`done in ${formatSeconds((event.at - (known.sentAt ?? event.at)) / 1000)}`);
        break;
      case 'service_changed':
        if (!event.reachable) once(`the service does not answer (${cleanText(event.reason)}); asking again`);
        break;
      case 'journal_failed':
        for (const { generation_id } of event.unwritten) once(`${generation_id} is paid for, and written down nowhere`);
        break;
      case 'failed':
        known.failure = event.failure;
        break;
      case 'cancel_failed':
        known.cancelFailed = event;
        break;
    }
  };
  return Object.assign(known, { report, close: () => Promise.resolve() }) as GenerationProgress;
}

/** In tenths: a line for each percent would be a wall of text. */
function standing({ status, position, fraction }: Extract<Event, { readonly type: 'progress' }>): string {
  const word = cleanText(status);
  if (position) return `${word}, place ${position} in line`;
  return fraction ? `${word}, ${Math.floor(fraction * 10) * 10} %` : word;
}
