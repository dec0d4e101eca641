/** How this terminal shows a picture: by what it says it is. Within tmux and screen it is another terminal that would have to be asked. */
import type { PictureProtocol } from '../../ui/pictures.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** Undefined where it shows none: what it does not know would stand in the scroll-back as text. */
export function pictureProtocol({
  TERM = '',
  TERM_PROGRAM,
  TMUX,
  STY,
  KITTY_WINDOW_ID,
}: Environment): PictureProtocol | undefined {
  if (TMUX !== undefined || STY !== undefined || /^(screen|tmux)/.test(TERM)) return undefined;
  if (TERM === 'xterm-kitty' || TERM === 'xterm-ghostty' || KITTY_WINDOW_ID !== undefined) return 'kitty';
  return TERM_PROGRAM === 'iTerm.app' || TERM_PROGRAM === 'WezTerm' ? 'iterm2' : undefined;
}
