/** A key, beside what it does. Whoever hears the page is told the keys by their list: each button has its words. */
import type { ComponentChildren } from 'preact';

const SILENT = { 'aria-hidden': true } as const;

export const Kbd = ({ children }: { readonly children: ComponentChildren }) => <kbd {...SILENT}>{children}</kbd>;
