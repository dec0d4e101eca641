/** How a team's work stands: for a person, and for Prometheus. */
import type { ClusterStatus } from '../../cluster/runs/cluster-status.ts';
import { FIGURES, type Value } from './cluster-figures.ts';

export const statusLines = (status: ClusterStatus, team: string): readonly string[] =>
  FIGURES.flatMap(({ words }) => words?.(status, team) ?? []);

/** In its text format. */
export const prometheusText = (status: ClusterStatus): string =>
  FIGURES.map(({ name, about, values }) => ({ name, about, values: values(status) }))
    .filter(({ values }) => values.length > 0)
    .map(({ name, about, values }) =>
      [
        `# HELP shotlist_${name} ${about}`,
        `# TYPE shotlist_${name} gauge`,
        ...values.map(one => `shotlist_${name}${labelsText(one)} ${one.value}`),
        '',
      ].join('\n'),
    )
    .join('');

function labelsText({ labels = {} }: Value): string {
  const texts = Object.entries(labels).map(([name, text]) => `${name}=${quoted(text)}`);
  return texts.length === 0 ? '' : `{${texts.join(',')}}`;
}

const quoted = (text: string): string =>
  `"${text.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n')}"`;
