import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;

/**
 * What the programs of this folder share: the work that certify-client asks for, and a gate for the key, which no library
 * has. A program runs as its library is shipped, or configured to conform: java CLASS shipped|configured.
 */
final class Petstore {
    static final String URL = System.getenv("PETSTORE_TARGET") + "/categories";
    static final String AUTHORIZATION = "Bearer " + System.getenv("PETSTORE_API_KEY");
    static final int ATTEMPTS = 6;

    private static final long START = System.nanoTime();
    private static final AtomicLong CLOSED_UNTIL = new AtomicLong();

    /** Sends one request, with this body unless it is null, and returns the status. */
    interface Call {
        int send(String method, String body) throws Exception;
    }

    static boolean asShipped(String[] arguments) {
        return arguments.length > 0 && arguments[0].equals("shipped");
    }

    /** Milliseconds that a Retry-After asks for, in seconds or as an HTTP-date. */
    static long retryAfterMs(String value) {
        if (value == null) return 0;
        if (value.matches("[0-9]{1,9}")) return Long.parseLong(value) * 1000;
        try {
            var at = ZonedDateTime.parse(value, DateTimeFormatter.RFC_1123_DATE_TIME).toInstant();
            return Math.max(0, Duration.between(Instant.now(), at).toMillis() + 1);
        } catch (DateTimeException unreadable) {
            return 0;
        }
    }

    /** Retry-After, and exponential backoff with jitter on top, in milliseconds; retry counts from 0. */
    static long pauseMs(String value, int retry) {
        return retryAfterMs(value) + Math.round((400L << retry) * ThreadLocalRandom.current().nextDouble(0.5, 1.5));
    }

    private static long now() {
        return (System.nanoTime() - START) / 1_000_000;
    }

    /** Closes the gate of the key for all tasks. */
    static void closeGate(String value) {
        CLOSED_UNTIL.accumulateAndGet(now() + 1 + retryAfterMs(value), Math::max);
    }

    /** Waits until the gate of the key is open. */
    static void passGate() {
        try {
            for (long ms; (ms = CLOSED_UNTIL.get() - now()) > 0; ) Thread.sleep(ms);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private static int count(String name, String otherwise) {
        return Integer.parseInt(System.getenv().getOrDefault(name, otherwise));
    }

    /** Does the work, and ends the program. */
    static void work(Call call) throws InterruptedException {
        var bodies = new ConcurrentLinkedQueue<String>();
        for (int i = 0; i < count("PETSTORE_CALLS", "1"); i++) bodies.add("");
        for (int i = 0; i < count("PETSTORE_CREATES", "0"); i++) bodies.add("{\"name\": \"rabbit\"}");
        var failed = new AtomicBoolean();
        var tasks = new Thread[count("PETSTORE_CONCURRENCY", "1")];
        for (int i = 0; i < tasks.length; i++) {
            tasks[i] = new Thread(() -> {
                for (String body; (body = bodies.poll()) != null; ) {
                    if (succeeds(call, body)) continue;
                    failed.set(true);
                    return; // What a program does after an error is no part of its library.
                }
            });
            tasks[i].start();
        }
        for (Thread task : tasks) task.join();
        System.exit(failed.get() ? 1 : 0);
    }

    private static boolean succeeds(Call call, String body) {
        try {
            int status = body.isEmpty() ? call.send("GET", null) : call.send("POST", body);
            if (status < 300) return true;
            System.err.println("status " + status);
        } catch (Exception error) {
            System.err.println(error);
        }
        return false;
    }
}
