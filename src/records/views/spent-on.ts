/** The cost of a result, as far as it records it. */
import type { Demand, Measure } from '../../model/budget.ts';
import { isMeasured } from '../../model/media/media.ts';
import { isUsd, milliseconds, roundUsd } from '../../model/money.ts';
import type { Result } from '../../model/run/result.ts';

/** @param unfit what was counted already, of the answers of a chat that did not fit */
export function spentOn(
  result: Result,
  unfit: { readonly usd: number; readonly tokens: number } = { usd: 0, tokens: 0 },
): Partial<Pick<Demand, Measure>> {
  switch (result.is) {
    case 'media': {
      const { cost, media } = result;
      const isVideo = media.kind === 'video' && isMeasured(media.duration);
      return {
        ...(isUsd(cost) && { usd: cost }),
        ...(isVideo && { video_seconds: milliseconds(media.duration ?? 0), images: 0 }),
        ...(media.kind === 'image' && { video_seconds: 0 }),
        tokens: 0,
      };
    }
    case 'text': {
      const { cost, usage } = result;
      return {
        ...(isUsd(cost) && { usd: roundUsd(Math.max(0, cost - unfit.usd)) }),
        ...{ video_seconds: 0, images: 0 },
        ...(isAmount(usage?.total_tokens) && { tokens: Math.max(0, usage.total_tokens - unfit.tokens) }),
      };
    }
    case 'command':
    case 'fine_tune':
    case 'outputs':
    case 'picked':
    case 'approved':
    case 'round':
      return {};
  }
}

const isAmount = (value: number | null | undefined): value is number =>
  typeof value === 'number' && Number.isFinite(value) && value >= 0;
