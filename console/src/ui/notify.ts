/** Messages that appear for a moment. */
import { notifications } from '@mantine/notifications'

/** For the error of an action that leaves no other trace on the page. */
export const notifyFailure = (title: string) => (error: Error) =>
  notifications.show({ color: 'red', title, message: error.message })
