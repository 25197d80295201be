/** The plans a company can be on. Which one may call what is the table in http/access.ts. */
export const PLANS = ['BASIC', 'PRO', 'PREMIUM', 'LEGACY_PRO'] as const
export type Plan = (typeof PLANS)[number]
