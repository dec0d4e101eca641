/** `90s`, `5m`, `1.5h` → milliseconds. */
import type { Findings } from './findings.ts';
import { messages } from './messages/index.ts';
import type { Node } from './syntax-tree.ts';

const UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000 };

/** A longer time is a typing mistake. */
const LONGEST_HOURS = 8_760;

/** Its shape has been checked; what is wrong reads as not given. */
export function milliseconds(node: Node | undefined, findings: Findings): number | undefined {
  if (node?.is !== 'scalar' || typeof node.value !== 'string') return undefined;
  const match = /^([0-9.]+)(ms|s|m|h)$/.exec(node.value);
  const unit = match?.[2] === undefined ? undefined : UNITS[match[2]];
  if (match?.[1] === undefined || unit === undefined) return undefined;
  const ms = Math.round(Number(match[1]) * unit);
  if (ms < 1) return void findings.add(messages.noTime(node.value), node.at);
  if (!(ms <= LONGEST_HOURS * 3_600_000))
    return void findings.add(messages.tooMuchTime(node.value, LONGEST_HOURS), node.at);
  return ms;
}
