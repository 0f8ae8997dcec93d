CREATE TABLE "chores" (
	"name" text PRIMARY KEY NOT NULL,
	"begun_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "lanes" (
	"lane" text PRIMARY KEY NOT NULL,
	"turn" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "workers" (
	"id" text PRIMARY KEY NOT NULL,
	"host" text NOT NULL,
	"pid" integer NOT NULL,
	"sizes" jsonb NOT NULL,
	"started_at" timestamp with time zone DEFAULT now() NOT NULL,
	"beat_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "jobs" ADD COLUMN "turn" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "jobs" ADD COLUMN "is_guest" boolean DEFAULT false NOT NULL;--> statement-breakpoint
CREATE INDEX "jobs_turns" ON "jobs" USING btree ("lane","turn","is_guest","position") WHERE state = 'queued';--> statement-breakpoint
CREATE INDEX "jobs_waiting" ON "jobs" USING btree ("identity_id","lane","turn") WHERE state = 'queued';--> statement-breakpoint
UPDATE "jobs" SET "turn" = "waiting"."turn" FROM (SELECT "id", row_number() OVER (PARTITION BY "identity_id", "lane" ORDER BY "position") AS "turn" FROM "jobs" WHERE "state" = 'queued') "waiting" WHERE "waiting"."id" = "jobs"."id";
