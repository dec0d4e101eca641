/** Tmux and screen are terminals within a terminal: what they do not know themselves does not reach the one outside. */
type Environment = Readonly<Record<string, string | undefined>>;

export const isWithinAnother = ({ TERM = '', TMUX, STY }: Environment): boolean =>
  TMUX !== undefined || STY !== undefined || /^(screen|tmux)/.test(TERM);
