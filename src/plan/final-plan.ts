/** What a plan in a profile is held against: the real film, or why that cannot be planned. */
import type { Plan } from '../domain/plan.ts';

export type FinalPlan = Pick<Plan, 'totals' | 'demand'> | { readonly mistakes: string };
