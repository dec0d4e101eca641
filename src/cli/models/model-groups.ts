/** What a model makes of what, in the words of a list: `image → video`. */
import type { CatalogModel } from '../../api/catalog.ts';
import { modelLibrary } from '../../api/model-library.ts';
import type { ModelKind } from '../../domain/model.ts';
import { documented, kindOf } from '../../session/model-from-catalog.ts';

type Medium = 'text' | 'image' | 'video' | 'audio';

interface Makes {
  readonly from: readonly Medium[];
  readonly to: 'video' | 'image' | 'text' | 'other';
  /** The heading of its group. */
  readonly group: string;
}

const BY_KIND: Readonly<Record<ModelKind | 'chat_that_sees' | 'other', Makes>> = {
  text_to_video: { from: ['text'], to: 'video', group: 'text → video' },
  image_to_video: { from: ['text', 'image'], to: 'video', group: 'image → video' },
  reference_to_video: {
    from: ['text', 'image', 'video', 'audio'],
    to: 'video',
    group: 'references (faces, images, videos, sounds) → video',
  },
  video_to_video: { from: ['text', 'video'], to: 'video', group: 'video → video, rendered anew' },
  reframe: { from: ['text', 'video'], to: 'video', group: 'video → video, in another shape (reframe)' },
  retake: { from: ['text', 'video'], to: 'video', group: 'video → video, a section anew (retake)' },
  upscale: { from: ['video'], to: 'video', group: 'video → video, larger and finer (upscale)' },
  image_generate: { from: ['text'], to: 'image', group: 'text → image' },
  image_edit: { from: ['text', 'image'], to: 'image', group: 'text, images → image (editing)' },
  chat: { from: ['text'], to: 'text', group: 'text → text (chat)' },
  chat_that_sees: { from: ['text', 'image'], to: 'text', group: 'text, images → text (chat)' },
  other: { from: [], to: 'other', group: 'other' },
};

export const GROUPS: readonly string[] = Object.values(BY_KIND).map(({ group }) => group);

export function makesOf(model: CatalogModel): Makes {
  const kind = kindOf(model);
  const known = documented(model)?.chat;
  const sees = kind === 'chat' && (known?.acceptsImages ?? model.capabilities.input.includes('image'));
  return BY_KIND[sees ? 'chat_that_sees' : kind];
}

/** Undefined for a model that only a catalog knows; a custom one has words of its own. */
export const bestForOf = ({ id }: CatalogModel): string | undefined => modelLibrary.get(id)?.bestFor;
