/** `shotlist doctor FILE`: what is open around a film, each with the command that settles it. It only looks. */
import { resolve } from 'node:path';
import { cleanText } from '../../domain/clean.ts';
import { findProject } from '../../host/project.ts';
import { type Examination, examine } from '../../session/doctor.ts';
import type { Finding } from '../../session/doctor-messages.ts';
import { openFilm } from '../../session/open-film.ts';
import { oneFile, parse } from '../arguments.ts';
import { withExitCode } from '../errors/exit-code.ts';
import { print } from '../outlets.ts';
import { chooseService } from '../service/choose-service.ts';
import { besidePipeline, givenData, givenParams, PARAM_OPTIONS } from '../session/param-options.ts';
import { readSource } from '../session/pipeline-text.ts';
import { indentedJson } from '../terminal/indented-json.ts';
import { onInterrupt } from '../terminal/signals.ts';

export const main = withExitCode(async args => {
  const { values, positionals } = parse(args, {
    ...PARAM_OPTIONS,
    service: { type: 'string' },
    profile: { type: 'string' },
    draft: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
  });
  const file = oneFile(positionals, 'doctor');
  const source = readSource(file);
  const choice = await chooseService(file, values);
  await using after = new AsyncDisposableStack();
  const hosted = choice.hosted ? await choice.connect() : undefined;
  after.defer(() => hosted?.close());
  const stop = new AbortController();
  after.defer(onInterrupt(() => stop.abort()));
  const project = await findProject(file, resolve());
  const { name: service, profile, elsewhere, chatBy, draft, key } = choice;
  const found = await examine({
    flags: [
      ...(values.service === undefined ? [] : ['--service', values.service]),
      ...(values.profile === undefined ? [] : ['--profile', values.profile]),
      ...(values.draft ? ['--draft'] : []),
    ],
    ...{ file, project, serviceName: service, profile, hosted, signal: stop.signal },
    open: told =>
      openFilm({
        ...{ source, project, params: givenParams(values), data: besidePipeline(givenData(values), file) },
        ...{
          environment: process.env,
          key,
          to: 'look',
          service,
          profile,
          draft,
          hosted,
          elsewhere,
          chatBy,
          found: told,
        },
      }),
  });
  const isClean = found.findings.length === 0;
  print(values.json ? `${indentedJson({ version: 1, clean: isClean, ...jsonOf(found) })}\n` : textOf(found, file));
  return isClean ? 0 : 1;
});

const jsonOf = ({ findings, notes }: Examination) => ({
  findings: findings.map(one => ({ ...one })),
  notes: [...notes],
});

function textOf({ findings, notes }: Examination, file: string): string {
  const lines = findings.flatMap(finding => [
    `${nameOf(finding)}${finding.message}`,
    ...(finding.command === undefined ? [] : [`    ${finding.command}`]),
  ]);
  const end = findings.length === 0 ? [`nothing of ${file} is open, unknown, billing or missing`] : [];
  return [...lines, ...notes, ...end].map(line => `${line}\n`).join('');
}

function nameOf({ key, model, generation_id: id, is }: Finding): string {
  if (model !== undefined || key === undefined) return '';
  return `${cleanText(key)}${id === undefined || is === 'orphan' ? '' : ` (generation ${cleanText(id)})`}: `;
}
