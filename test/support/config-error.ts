import { ConfigError, readConfig } from '../../src/server/config.ts'

/** The message about a wrong setting, or null. Any other error is a defect. */
export function configError(env: Record<string, string>): string | null {
  try {
    readConfig(env)
    return null
  } catch (error) {
    if (error instanceof ConfigError) return error.message
    throw error
  }
}
