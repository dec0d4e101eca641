/** A question that is asked now: what it is about, the candidates, the keys. Nothing where none is. */
import type { ReactNode } from 'react';
import type { Line } from '../line.ts';
import { Blank, Lines } from './lines.tsx';

export function Question({ lines }: { readonly lines: readonly Line[] }): ReactNode {
  if (lines.length === 0) return null;
  return (
    <>
      <Lines lines={lines} />
      <Blank />
    </>
  );
}
