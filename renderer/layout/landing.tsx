import { Footer } from './footer.tsx'
import { WhyUs } from './why-us.tsx'

/** What stands below the tool: a script of its own, since nobody comes for it first. */
export function Landing() {
  return (
    <>
      <WhyUs />
      <Footer />
    </>
  )
}
