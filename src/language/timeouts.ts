import type { Timeout } from '../domain/pipeline.ts';
import { child, type MapNode, type Node } from './syntax.ts';

const UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000 };

/** `timeout:` in milliseconds. Its shape has been checked; what is wrong reads as not given. */
export function readTimeout(node: Node | undefined): Timeout | undefined {
  if (node === undefined) return undefined;
  if (node.is !== 'map') {
    const total = milliseconds(node);
    return total === undefined ? undefined : { total };
  }
  const parts = (['queue', 'run', 'total'] as const).flatMap(name => {
    const value = milliseconds(child(node, name));
    return value === undefined ? [] : [[name, value] as const];
  });
  return Object.fromEntries(parts);
}

function milliseconds(node: Node | undefined): number | undefined {
  if (node?.is !== 'scalar' || typeof node.value !== 'string') return undefined;
  const match = /^([0-9.]+)(ms|s|m|h)$/.exec(node.value);
  const unit = match?.[2] === undefined ? undefined : UNITS[match[2]];
  return match?.[1] === undefined || unit === undefined ? undefined : Math.round(Number(match[1]) * unit);
}

/** `cache: off` (or `false`) is the only way to turn it off. */
export function readCache(map: MapNode | undefined): boolean | undefined {
  const node = map && child(map, 'cache');
  if (node?.is !== 'scalar') return undefined;
  if (node.value === 'off' || node.value === false) return false;
  return node.value === 'on' || node.value === true ? true : undefined;
}
