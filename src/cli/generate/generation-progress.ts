/** Tells of one generation, a line for each change, and keeps what its outcome is told from. */
import { cleanText } from '../../domain/clean.ts';
import type { Event, RecordedEvent, Reporter } from '../../domain/event.ts';
import type { Failure } from '../../domain/failure.ts';
import { formatSeconds } from '../../domain/format.ts';
import { isOfInstance } from '../../records/views/instance-state.ts';
import { InstanceStory } from '../../records/views/instance-story.ts';

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
  const story = new InstanceStory(null);
  let [url, cancelFailed]: [GenerationProgress['url'], GenerationProgress['cancelFailed']] = [undefined, undefined];
  let lostAt: number | undefined;
  const sentAt = () => story.attempts.at(-1)?.queued ?? lostAt;
  const report = (event: RecordedEvent) => {
    if (isOfInstance(event)) story.apply(event);
    switch (event.type) {
      case 'submit_intended':
        if (event.via) once(`sent to ${service}, which answers when it is done`);
        break;
      case 'submit_accepted':
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
        lostAt ??= event.at;
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
        once(`taken up again${event.generation_id === null ? '' : ` as ${event.generation_id}`}, not sent twice`);
        break;
      case 'progress':
        once(standing(event));
        break;
      case 'generated':
        url = event.result_url;
        once(`done in ${formatSeconds((event.at - (sentAt() ?? event.at)) / 1000)}`);
        break;
      case 'service_changed':
        if (!event.reachable) once(`the service does not answer (${cleanText(event.reason)}); asking again`);
        break;
      case 'journal_failed':
        for (const { generation_id } of event.unwritten) once(`${generation_id} is paid for, and written down nowhere`);
        break;
      case 'cancel_failed':
        cancelFailed = event;
        break;
    }
  };
  return {
    ...{ report, close: () => Promise.resolve() },
    get id() {
      return story.generation ?? undefined;
    },
    get url() {
      return url;
    },
    get failure() {
      return story.failure;
    },
    get cancelFailed() {
      return cancelFailed;
    },
    get sentAt() {
      return sentAt();
    },
  };
}

/** In tenths: a line for each percent would be a wall of text. */
function standing({ status, position, fraction }: Extract<Event, { readonly type: 'progress' }>): string {
  const word = cleanText(status);
  if (position) return `${word}, place ${position} in line`;
  return fraction ? `${word}, ${Math.floor(fraction * 10) * 10} %` : word;
}
