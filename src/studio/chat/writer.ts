import type { Ask } from './ask.ts';
export const write = (ask: Ask): string => ask.turns.at(-1)?.text ?? '';
