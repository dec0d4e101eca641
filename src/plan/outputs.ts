/**
 * Where finished films go. Coordinates may come from anywhere (a param, later a model's text), so what fills the braces is
 * one plain file name's worth of characters: nothing in it can climb out of the project or start a hidden file.
 */

import type { Json } from '../domain/json.ts';
import type { StepName } from '../domain/key.ts';
import type { Output, Pipeline } from '../domain/pipeline.ts';
import type { PlannedOutput } from '../domain/plan.ts';
import type { Slot } from './fan-out.ts';
import type { Findings } from './findings.ts';
import { words } from './words.ts';

export function planOutputs(
  { outputs }: Pipeline,
  byStep: ReadonlyMap<StepName, readonly Slot[]>,
  findings: Findings,
): readonly PlannedOutput[] {
  const taken = new Map<string, { readonly key: string; readonly output: Output }>();
  const planned: PlannedOutput[] = [];
  for (const output of outputs) {
    const slots = byStep.get(output.from) ?? [];
    const file = fileOf(output, slots[0], findings);
    for (const slot of slots) {
      const path = pathOf(output, slot, findings);
      if (path === undefined) break;
      // Two names that differ by case alone are one file on macOS and Windows.
      const folded = path.normalize('NFC').toLowerCase();
      const other = taken.get(folded);
      if (other) {
        const missing = other.output === output ? unnamed(output, slot) : [];
        findings.error('output-collision', words.outputCollision(path, other.key, slot.key, missing), output.toAt);
        break;
      }
      taken.set(folded, { key: slot.key, output });
      planned.push({ name: output.name, instance: slot.key, path, ...(file !== undefined && { file }) });
    }
  }
  return planned;
}

const BRACES = /\{([^{}]*)\}/g;

function pathOf(output: Output, slot: Slot, findings: Findings): string | undefined {
  const names = Object.keys(slot.coordinates);
  let known = true;
  const filled = output.to.replaceAll(BRACES, (_, name: string) => {
    if (Object.hasOwn(slot.coordinates, name)) return fileName(slot.coordinates[name] ?? null);
    known = false;
    findings.error('unknown-coordinate', words.outputUnknownCoordinate(name, output.from, names), output.toAt);
    return '';
  });
  if (!known) return undefined;
  const path = inside(filled);
  if (path === undefined) findings.error('output-outside', words.outputOutside(output.to), output.toAt);
  return path;
}

/** `9:16` → `9x16`, `a fox/dusk` → `a-fox-dusk`. */
function fileName(value: Json): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  const plain = text
    .normalize('NFC')
    .replace(/^(\d+):(\d+)$/, '$1x$2')
    .replaceAll(/[^\p{L}\p{N}\p{M}._+-]+/gu, '-')
    .replaceAll(/^[-.]+|[-.]+$/g, '');
  return [...plain].slice(0, 80).join('') || 'x';
}

/** The path without `.` and `..`; undefined when it leaves the folder it starts from, or names no file in it. */
function inside(path: string): string | undefined {
  if (/^(?:[\\/]|[a-z]:)/i.test(path) || path.includes('\0') || /[\\/]$/.test(path)) return undefined;
  const parts: string[] = [];
  for (const part of path.split(/[\\/]+/)) {
    if (part === '' || part === '.') continue;
    if (part !== '..') parts.push(part);
    else if (parts.pop() === undefined) return undefined;
  }
  return parts.length > 0 ? parts.join('/') : undefined;
}

function unnamed(output: Output, slot: Slot): readonly string[] {
  return Object.keys(slot.coordinates).filter(name => !output.to.includes(`{${name}}`));
}

/** A command's only file need not be named. */
function fileOf(output: Output, slot: Slot | undefined, findings: Findings): string | undefined {
  if (slot?.step.kind !== 'run' || output.file !== undefined) return output.file;
  const names = slot.step.creates.entries.map(entry => entry.name);
  if (names.length === 1) return names[0];
  findings.error('which-file', words.outputWhichFile(slot.step.name, names), output.at);
  return undefined;
}
