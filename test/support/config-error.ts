import { ConfigError, readConfig } from '../../src/server/config.ts'

/** The message of a ConfigError, or null if the settings are valid. Other errors are thrown. */
export function configError(env: Record<string, string>): string | null {
  try {
    readConfig(env)
    return null
  } catch (error) {
    if (error instanceof ConfigError) return error.message
    throw error
  }
}
