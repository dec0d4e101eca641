/** `shotlist doctor FILE`: what is open around a film, each with the command that settles it. It only looks. */
import { resolve } from 'node:path';
import { openFilm } from '../../app/film/open-film.ts';
import { type Examination, examine } from '../../app/results/doctor.ts';
import type { Finding } from '../../app/results/doctor-messages.ts';
import { profilesRunHere } from '../../app/state-folders.ts';
import { findProject, type Project } from '../../machine/files/project.ts';
import { apart, FINAL } from '../../model/profile.ts';
import { moreAt } from '../../model/run/decision-page.ts';
import { cleanText } from '../../model/text/clean.ts';
import { oneFile } from '../arguments.ts';
import { command, type Read } from '../command-line/read-arguments.ts';
import { jsonText, print } from '../outlets.ts';
import { chooseService } from '../service/choose-service.ts';
import { variableAccess } from '../service/settings-of.ts';
import { givenData, givenParams, relativeToPipeline } from '../session/film-options.ts';
import { readSource } from '../session/pipeline-text.ts';
import { untilInterrupted } from '../terminal/signals.ts';

type Values = Read<'doctor'>['values'];

export const main = command('doctor', async ({ values, positionals }) => {
  const file = oneFile(positionals, 'doctor');
  using stop = untilInterrupted();
  const project = await findProject(file, resolve());
  const choice = await chooseService(file, values);
  const profiles =
    values.profile === undefined
      ? [...new Set([FINAL, choice.profile ?? FINAL, ...(await profilesRunHere(project))])]
      : [];
  const looks = await Promise.all(
    (profiles.length > 1 ? profiles : [undefined]).map(profile =>
      examined({ file, project, values, profile, signal: stop.signal }),
    ),
  );
  const found = together(looks);
  const isClean = found.findings.length === 0;
  print(values.json ? jsonText({ version: 1, clean: isClean, ...jsonOf(found) }) : textOf(found, file));
  return isClean ? 0 : 1;
});

interface Look {
  readonly file: string;
  readonly project: Project;
  readonly values: Values;
  /** Absent: the one of the options or the settings. */
  readonly profile: string | undefined;
  readonly signal: AbortSignal;
}

async function examined({ file, project, values, profile: one, signal }: Look): Promise<Examination> {
  const choice = await chooseService(file, one === undefined ? values : { ...values, profile: one });
  const hosted = choice.hosted ? await choice.connect() : undefined;
  const { name: service, profile, elsewhere, store, chatBy, draft, key } = choice;
  const access = await variableAccess(project);
  const named = one ?? values.profile;
  try {
    const found = await examine({
      flags: [
        ...(values.service === undefined ? [] : ['--service', values.service]),
        ...(named === undefined ? [] : ['--profile', named]),
        ...(values.draft ? ['--draft'] : []),
      ],
      ...{ file, project, serviceName: service, profile, hosted, signal, deep: values.deep === true },
      attempts: choice.limits.attempts,
      open: asked =>
        openFilm({
          ...{ source: readSource(file), project },
          ...{ params: givenParams(values), data: relativeToPipeline(givenData(values), file) },
          ...{ environment: process.env, access, key, to: 'look', service, profile, draft },
          ...{ hosted, elsewhere, store, chatBy },
          found: asked,
        }),
    });
    const inProfile = apart(profile);
    if (inProfile === undefined) return found;
    return { ...found, notes: found.notes, findings: found.findings.map(it => ({ ...it, profile: inProfile })) };
  } finally {
    await hosted?.close();
  }
}

/** A finding that concerns no profile, such as the disk or the lock, is listed once. */
function together(looks: readonly Examination[]): Examination {
  const shown = new Set<string>();
  const findings = looks
    .flatMap(({ findings: of }) => of)
    .filter(({ profile, ...it }) => {
      const isOfAll = it.key === undefined && it.model === undefined && it.is !== 'file';
      const name = isOfAll ? it.message : [profile, it.key, it.model, it.generation_id, it.message].join('\n');
      return !shown.has(name) && shown.add(name);
    });
  return { findings, notes: [...new Set(looks.flatMap(({ notes }) => notes))] };
}

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
  return [...lines, ...pageLines(findings), ...notes, ...end].map(line => `${line}\n`).join('');
}

/** Each section once; one that a finding names itself is left out. */
function pageLines(findings: readonly Finding[]): readonly string[] {
  const pages = new Set(findings.map(({ page }) => page).filter(page => page !== undefined));
  return [...pages].map(moreAt).filter(more => !findings.some(({ message }) => message.includes(more)));
}

function nameOf({ key, model, generation_id: id, is, profile }: Finding): string {
  const inProfile = profile === undefined ? '' : `in \`${profile}\`, `;
  if (model !== undefined || key === undefined) return inProfile;
  return `${inProfile}${cleanText(key)}${id === undefined || is === 'orphan' ? '' : ` (generation ${cleanText(id)})`}: `;
}
