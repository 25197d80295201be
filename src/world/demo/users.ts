/** The users of the demo world. Public, like its keys. */
import type { Role } from '../../core/enumerations.ts'
import type { UserPlan } from './plan.ts'

interface DemoUser {
  email: string
  name: string
  role: Role
  /** The company's id. */
  company: string
}

/** The password of every demo user. */
export const DEMO_PASSWORD = 'harborlight-demo'
/** Its hash with a fixed salt: the demo world is the same at every run. */
export const DEMO_PASSWORD_HASH =
  '$scrypt$ln=15,r=8,p=3$LfkL4nwmH9MEKA0NVzXEZg$mkYJyr7Nrj2gtUqs3oA7UluKJ4m4Ako9IW6/EyNV4HE'

export const DEMO_USERS: readonly [DemoUser, ...DemoUser[]] = [
  { email: 'admin@harborlight.example', name: 'Maren Holt', role: 'ADMIN', company: 'co_harborlight' },
  { email: 'member@harborlight.example', name: 'Theo Adeyemi', role: 'MEMBER', company: 'co_harborlight' },
  { email: 'admin@maison-rivage.example', name: 'Camille Aubry', role: 'ADMIN', company: 'co_maison_rivage' },
  {
    email: 'admin@prairie-lantern.example',
    name: 'Joanne Sinclair',
    role: 'ADMIN',
    company: 'co_prairie_lantern',
  },
  { email: 'admin@copper-kettle.example', name: 'Owen Pryce', role: 'ADMIN', company: 'co_copper_kettle' },
  { email: 'admin@northgate.example', name: 'Priya Raman', role: 'ADMIN', company: 'co_northgate' },
]

export function demoUsersOf(company: string): UserPlan[] {
  return DEMO_USERS.filter((user) => user.company === company).map(({ email, name, role }) => ({
    email,
    name,
    role,
    passwordHash: DEMO_PASSWORD_HASH,
  }))
}
